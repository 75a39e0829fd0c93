E<> R.A
