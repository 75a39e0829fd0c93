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

// Drawn, because not every system has signs for them.
const kIcons = {
  first: "M4 4v8M12 4l-6 4 6 4z",
  back: "M11 3.5L5 8l6 4.5z",
  next: "M5 3.5L11 8l-6 4.5z",
  last: "M12 4v8M4 4l6 4-6 4z",
  auto: "M8 2.5a5.5 5.5 0 100 11zM8 2.5a5.5 5.5 0 010 11",
  light:
    "M8 5a3 3 0 100 6 3 3 0 000-6zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8L13 13M3 13l1.2-1.2M11.8 4.2L13 3",
  dark: "M13 9.6A5.6 5.6 0 016.4 3 5.6 5.6 0 1013 9.6z",
  plot: "M2 12c3 0 3-8 6-8s3 8 6 8",
  minus: "M3.5 8h9",
  plus: "M3.5 8h9M8 3.5v9",
  remove: "M4.5 4.5l7 7M11.5 4.5l-7 7",
};

function icon(name) {
  return svg(
    "svg",
    {class: `icon-drawing ${name}`, viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true"},
    svg("path", {d: kIcons[name]}),
  );
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
