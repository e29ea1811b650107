// The tree of a picture, from the columns that the page holds; synsets are places in them.

function modelOf(data) {
  const count = data.wnid.length;
  let boxes = count; // the synsets with a place in the tree come first
  while (boxes && data.parent[boxes - 1] === -2) boxes -= 1;
  const classKinds = data.kinds.length - 2;
  const depth = new Int32Array(count);
  const end = new Int32Array(count);
  const children = Array.from({ length: count }, () => []);
  const up = Array.from({ length: count }, () => []);
  const down = Array.from({ length: count }, () => []);
  for (let i = 0; i < boxes; i += 1) {
    const parent = data.parent[i];
    if (parent >= 0) {
      depth[i] = depth[parent] + 1;
      children[parent].push(i);
      up[i].push(parent);
      down[parent].push(i);
    }
  }
  for (let i = boxes - 1; i >= 0; i -= 1) {
    end[i] = Math.max(end[i], i + 1);
    const parent = data.parent[i];
    if (parent >= 0) end[parent] = Math.max(end[parent], end[i]);
  }
  for (const [child, parent] of data.more) {
    up[child].push(parent);
    down[parent].push(child);
  }
  const single = new Set(data.instance);
  // before: classes before a synset, in the order of the tree; roleBefore: those of a role;
  // kept: the children that have a box; height: levels of boxes below
  const before = new Int32Array(boxes + 1);
  const roleBefore = Array.from({ length: classKinds }, () => new Int32Array(boxes + 1));
  const [kept, height] = [children.slice(), new Int32Array(count)];
  const model = {
    data, count, boxes, classKinds, depth, end, height, before, roleBefore, children, kept, up, down, single,
    values: new Map(data.values.map((each) => [each.key, each])),
    // the roles of which classes have a value: of others it is not unknown, there is none
    valued: new Map(data.values.map((each) => [each.key,
      new Set(Object.keys(each.own).map((i) => data.role[i]))])),
    // what has a box has a class at or below it that is drawn, so no box is empty
    span: (i) => before[end[i]] - before[i],
    // of each role, how many classes are at or below a synset in the tree
    roles: (i) => roleBefore.map((sums) => sums[end[i]] - sums[i]),
    hasPlace: (i) => i < boxes,
    inTree: (i) => i < boxes && before[end[i]] > before[i],
    isClass: (i) => data.role[i] < classKinds,
    isWithin: (i, root) => i >= root && i < end[root],
    kind: (i) => data.kinds[data.role[i]],
    label: (i) => labelOf(data, i),
    leftOut: "", // the role of classes that are not drawn
    below: (i) => Object.entries(data.below).reduce((sum, [kind, of]) => sum + (kind === model.leftOut ? 0 : of[i]), 0),
  };
  return model;
}

// Whether a class has the value that is coloured by, or for roles is one of the split: of 20,000
// candidates the training classes would be slivers.
function isOf(model, key, i) {
  const values = model.values.get(key);
  return model.isClass(i) && (values ? values.own[i] !== undefined : model.kind(i) !== "Candidate");
}

// Gives the classes that are drawn their places: all of them, or those of what is coloured by.
function weigh(model, key, all) {
  const { data, boxes, before, end, roleBefore, children, kept, height } = model;
  const isDrawn = (i) => (all ? model.isClass(i) : isOf(model, key, i));
  model.leftOut = all || model.values.has(key) ? "" : "Candidate";
  for (let i = 0; i < boxes; i += 1) {
    const own = isDrawn(i) ? 1 : 0;
    before[i + 1] = before[i] + own;
    roleBefore.forEach((sums, kind) => { sums[i + 1] = sums[i] + (data.role[i] === kind ? own : 0); });
  }
  if (boxes && !before[boxes] && !all) {
    weigh(model, key, true);
    return;
  }
  height.fill(0);
  for (let i = boxes - 1; i >= 0; i -= 1) {
    kept[i] = children[i].filter(model.inTree);
    const parent = data.parent[i];
    if (parent >= 0 && model.inTree(i)) height[parent] = Math.max(height[parent], height[i] + 1);
  }
}

// How many classes of the tree are left out, since they are not of what is coloured by. Where that
// would be all of them, none is.
function lacking(model, key) {
  let [classes, without] = [0, 0];
  for (let i = 0; i < model.boxes; i += 1) {
    classes += model.isClass(i) ? 1 : 0;
    without += model.isClass(i) && !isOf(model, key, i) ? 1 : 0;
  }
  return without < classes ? without : 0;
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

// How many classes are at or below a synset: of those that are drawn, of all in the hierarchy.
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
