// Light, dark, or as the system has it; remembered where the browser allows that for files.

const kThemes = {auto: "as the system", light: "light", dark: "dark"};

class Theme {
  constructor() {
    this.button = el("button", {class: "icon theme", type: "button", onclick: () => this.next()});
    this.set(Theme.stored("harrier-theme") ?? "auto");
  }

  static stored(key, value) {
    try {
      if (value !== undefined) localStorage.setItem(key, value);
      const found = localStorage.getItem(key);
      return found in kThemes ? found : undefined;
    } catch {
      return undefined;
    }
  }

  set(theme) {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    const name = kThemes[theme];
    this.button.replaceChildren(icon(theme));
    this.button.title = `Colours: ${name} (t)`;
    this.button.setAttribute("aria-label", `Colours: ${name}`);
  }

  next() {
    const names = Object.keys(kThemes);
    this.set(names[(names.indexOf(this.theme) + 1) % names.length]);
    Theme.stored("harrier-theme", this.theme);
  }
}
