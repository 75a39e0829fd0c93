#include "symbolic/relation.h"

#include <algorithm>
#include <map>

namespace harrier::symbolic {

namespace {

constexpr uint64_t kMostNodes = 2'000;  // of a cluster

}  // namespace

Relation::Relation(const Encoding& encoding, std::vector<Bdd> conjuncts, std::vector<model::VarId> written)
    : encoding_(&encoding), written_(std::move(written)), domain_(true) {
  const BddManager& manager = encoding.manager();
  conjuncts_ = conjuncts;
  std::vector<std::vector<int>> own(conjuncts.size());
  std::map<int, size_t> uses;
  for (size_t i = 0; i < conjuncts.size(); ++i) {
    for (const int bit : support(conjuncts[i])) {
      if (!encoding.is_choice(bit)) continue;
      own[i].push_back(bit);
      ++uses[bit];
    }
  }
  for (size_t i = 0; i < conjuncts.size(); ++i) {
    std::erase_if(own[i], [&](int bit) { return uses[bit] > 1; });
    if (!own[i].empty()) conjuncts[i] = exists(conjuncts[i], manager.cube(own[i]));
  }
  for (const auto& [bit, count] : uses) {
    if (count > 1) choices_.push_back(bit);
  }
  for (const model::VarId v : written_) {
    const auto& now = encoding.bits(v, Moment::Now);
    const auto& next = encoding.bits(v, Moment::Next);
    now_.insert(now_.end(), now.begin(), now.end());
    next_.insert(next_.end(), next.begin(), next.end());
    domain_ &= encoding.in_domain(v);
  }
  std::vector<int> vanishing = now_;
  vanishing.insert(vanishing.end(), choices_.begin(), choices_.end());
  clusters_ = clustered(manager, std::move(conjuncts), vanishing, kMostNodes);
  forward_ = Product(manager, clusters_, vanishing);
  to_now_ = std::make_unique<Renaming>(next_, now_);
}

Bdd Relation::image(const Bdd& states) const { return (*to_now_)(forward_.apply(states)); }

Bdd Relation::preimage(const Bdd& states) const {
  if (!backward_) {
    std::vector<int> vanishing = next_;
    vanishing.insert(vanishing.end(), choices_.begin(), choices_.end());
    backward_ = std::make_unique<Product>(encoding_->manager(), clusters_, vanishing);
    to_next_ = std::make_unique<Renaming>(now_, next_);
  }
  return backward_->apply((*to_next_)(states)) & domain_;
}

Relation::Projected::Projected(const Relation& relation, const std::vector<int>& dropped)
    : to_next_(std::make_unique<Renaming>(relation.now_, relation.next_)) {
  std::vector<int> vanishing = relation.next_;
  vanishing.insert(vanishing.end(), relation.choices_.begin(), relation.choices_.end());
  vanishing.insert(vanishing.end(), dropped.begin(), dropped.end());
  std::vector<Bdd> conjuncts = relation.clusters_;
  for (const model::VarId v : relation.written_) conjuncts.push_back(relation.encoding_->in_domain(v));
  std::erase_if(conjuncts, [](const Bdd& c) { return c.is_true(); });
  backward_ = Product(relation.encoding_->manager(), std::move(conjuncts), vanishing);
}

Bdd Relation::joined() const { return Product(encoding_->manager(), clusters_, choices_).apply(Bdd(true)); }

}  // namespace harrier::symbolic
