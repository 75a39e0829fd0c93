// A list of rows of equal height of which only those in view are in the document.

class VirtualList {
  // `render(index)` makes the element of a row.
  constructor({rowHeight, render, attributes = {}}) {
    this.rowHeight = rowHeight;
    this.render = render;
    this.count = 0;
    this.rows = el("div", {class: "rows"});
    this.space = el("div", {class: "space"}, this.rows);
    this.element = el("div", {class: "virtual-list", ...attributes}, this.space);
    this.update = oncePerFrame(() => this.draw());
    this.element.addEventListener("scroll", this.update, {passive: true});
    new ResizeObserver(this.update).observe(this.element);
  }

  setCount(count) {
    this.count = count;
    this.space.style.height = `${count * this.rowHeight}px`;
    this.update();
  }

  draw() {
    const {scrollTop, clientHeight} = this.element;
    const first = Math.max(Math.floor(scrollTop / this.rowHeight) - 3, 0);
    const end = Math.min(Math.ceil((scrollTop + clientHeight) / this.rowHeight) + 3, this.count);
    const rows = [];
    for (let i = first; i < end; ++i) rows.push(this.render(i));
    this.rows.style.transform = `translateY(${first * this.rowHeight}px)`;
    this.rows.replaceChildren(...rows);
  }

  // Scrolls no more than it takes.
  reveal(index) {
    const top = index * this.rowHeight;
    const {scrollTop, clientHeight} = this.element;
    const margin = Math.min(2 * this.rowHeight, clientHeight / 4);
    if (top - margin < scrollTop) this.element.scrollTop = top - margin;
    else if (top + this.rowHeight + margin > scrollTop + clientHeight) {
      this.element.scrollTop = top + this.rowHeight + margin - clientHeight;
    }
    this.update();
  }
}
