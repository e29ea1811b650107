// The tree of a picture, from the columns that the page holds; synsets are places in them.

function modelOf(data) {
  const count = data.wnid.length;
  let boxes = count; // the synsets with a place in the tree come first
  while (boxes && data.parent[boxes - 1] === -2) boxes -= 1;
  const classKinds = data.kinds.length - 2;
  const depth = new Int32Array(count);
  const end = new Int32Array(count);
  const height = new Int32Array(count); // levels below
  const before = new Int32Array(boxes + 1); // classes before a synset, in the order of the tree
  const kept = Array.from({ length: count }, () => []);
  const up = Array.from({ length: count }, () => []);
  const down = Array.from({ length: count }, () => []);
  for (let i = 0; i < boxes; i += 1) {
    before[i + 1] = before[i] + (data.role[i] < classKinds ? 1 : 0);
    const parent = data.parent[i];
    if (parent >= 0) {
      depth[i] = depth[parent] + 1;
      kept[parent].push(i);
      up[i].push(parent);
      down[parent].push(i);
    }
  }
  for (let i = boxes - 1; i >= 0; i -= 1) {
    end[i] = Math.max(end[i], i + 1);
    const parent = data.parent[i];
    if (parent >= 0) {
      end[parent] = Math.max(end[parent], end[i]);
      height[parent] = Math.max(height[parent], height[i] + 1);
    }
  }
  for (const [child, parent] of data.more) {
    up[child].push(parent);
    down[parent].push(child);
  }
  // of each role of classes, how many come before a synset
  const roleBefore = data.kinds.slice(0, classKinds).map((_, kind) => {
    const sums = new Int32Array(boxes + 1);
    for (let i = 0; i < boxes; i += 1) sums[i + 1] = sums[i] + (data.role[i] === kind ? 1 : 0);
    return sums;
  });
  const single = new Set(data.instance);
  return {
    data, count, boxes, classKinds, depth, end, height, before, kept, up, down, single,
    values: new Map(data.values.map((each) => [each.key, each])),
    // the roles of which classes have a value: of others it is not unknown, there is none
    valued: new Map(data.values.map((each) => [each.key,
      new Set(Object.keys(each.own).map((i) => data.role[i]))])),
    // a synset of the tree has a class at or below it, so no box is empty
    span: (i) => before[end[i]] - before[i],
    // of each role, how many classes are at or below a synset in the tree
    roles: (i) => roleBefore.map((sums) => sums[end[i]] - sums[i]),
    inTree: (i) => i < boxes,
    isClass: (i) => data.role[i] < classKinds,
    isWithin: (i, root) => i >= root && i < end[root],
    kind: (i) => data.kinds[data.role[i]],
    label: (i) => labelOf(data, i),
    below: (i) => Object.values(data.below).reduce((sum, of) => sum + of[i], 0),
  };
}

// The first word of a synset; where there are no words its name without number, or its wnid.
function labelOf(data, i) {
  const words = data.words && data.words[i];
  if (words) return words.split("; ", 1)[0];
  return data.name[i].replace(/\.[a-z]\.\d+$/, "").replaceAll("_", " ") || data.wnid[i];
}

function lineage(model, i) {
  const line = [];
  for (let at = i; at >= 0; at = model.data.parent[at]) line.unshift(at);
  return line;
}

const whole = new Intl.NumberFormat("en-US");

function written(kind, value) {
  if (value === null || value === undefined) return "unknown";
  if (kind === "share") return `${(100 * value).toFixed(1)} %`;
  if (kind === "count" && Number.isInteger(value)) return whole.format(value);
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 6 });
}

function plural(text) {
  return `${text}${text.endsWith("s") ? "es" : "s"}`;
}

function counted(number, one, many) {
  return `${whole.format(number)} ${number === 1 ? one : many}`;
}

// An element; what is not an element is text, so that no name is ever read as HTML.
function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  fill(element, attributes, inside);
  return element;
}

function draw(tag, attributes = {}, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, inside);
  return element;
}

function fill(element, attributes, inside) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...inside.filter((each) => each !== null && each !== undefined));
}

// How many classes are at or below a synset: in the tree, of all in the hierarchy.
function classesOf(model, i) {
  const [all, own] = [model.below(i), model.inTree(i) ? model.span(i) : 0];
  return own === all ? counted(all, "class", "classes") : `${whole.format(own)} of ${counted(all, "class", "classes")}`;
}

let ids = 0;
function ownId(what) {
  ids += 1;
  return `gz-${what}-${ids}`;
}

const pen = document.createElement("canvas").getContext("2d");

// A text cut to a width, of which a letter and a dot at least must fit.
function cut(text, width, font) {
  pen.font = font;
  if (pen.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(`${text.slice(0, middle).trimEnd()}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 1 ? `${text.slice(0, low).trimEnd()}…` : "";
}

function widthOf(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}
