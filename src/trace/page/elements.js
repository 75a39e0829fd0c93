// Making elements. Texts of the model get into the document here, and only as text.

const kSvg = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "hue") element.style.setProperty("--hue", value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// el("button", {class: "icon", onclick: next}, "›"). Attributes are names that stand in these files, never a model's.
function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(kSvg, tag), attributes, children);
}

// A colour of its own for every process: neighbours are far apart.
function hueOf(number) {
  return Math.round((number * 137.508 + 215) % 360);
}

// A function that runs once before the next frame, however often it is asked for.
function oncePerFrame(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

// How wide texts are, measured once a character.
class TextMeasure {
  constructor(font) {
    this.context = document.createElement("canvas").getContext("2d");
    this.context.font = font;
    this.known = new Map();
  }

  width(text) {
    let sum = 0;
    for (const c of text) {
      if (!this.known.has(c)) this.known.set(c, this.context.measureText(c).width);
      sum += this.known.get(c);
    }
    return sum;
  }

  // The text, or its beginning with an ellipsis, in this width.
  fitted(text, width) {
    if (this.width(text) <= width) return text;
    let left = width - this.width("…");
    let out = "";
    for (const c of text) {
      left -= this.width(c);
      if (left < 0) break;
      out += c;
    }
    return out + "…";
  }
}
