// The icicle: the synset that is zoomed to at the left, what is below it at its right.

const COLUMN = 128; // at least so wide, where there are more levels than fit
const BOX = 3; // boxes less high are drawn together
const TEXT = 15; // boxes less high have no name
const STRIP = 14; // pixels of a box in which the roles below it are shown
const PAPER = 400; // at most so high on paper, where it is not cut: a quarter of a page is no gap
const FONT = '12px system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

function frameOf(picture, root) {
  const { model } = picture;
  const width = Math.max(240, picture.chart.clientWidth);
  const columns = Math.min(model.height[root] + 1, Math.max(3, Math.floor(width / COLUMN)));
  const screen = Math.max(420, Math.min(820, window.innerHeight * 0.66));
  const room = window.matchMedia("print").matches ? PAPER : screen;
  const height = Math.round(Math.min(room, Math.max(150, model.span(root) * 24)));
  const scale = height / model.span(root);
  return { root, width, columns, height, scale, column: width / columns };
}

function placeOf(picture, frame, i) {
  const { model } = picture;
  return {
    x: (model.depth[i] - model.depth[frame.root]) * frame.column,
    y: (model.before[i] - model.before[frame.root]) * frame.scale,
    height: model.span(i) * frame.scale,
  };
}

function drawIcicle(picture) {
  const { model, painter } = picture;
  const frame = frameOf(picture, picture.root);
  picture.frame = frame;
  const boxes = draw("g");
  const labels = draw("g", { class: "gz-labels", "aria-hidden": "true" });
  const runs = new Array(frame.columns).fill(null);
  const rect = (x, y, width, height, colour, more) => boxes.append(draw("rect", {
    x: x.toFixed(2), y: y.toFixed(2), width: width.toFixed(2), height: height.toFixed(2), fill: colour, ...more,
  }));
  const flush = (column) => {
    const run = runs[column];
    runs[column] = null;
    if (!run) return;
    const more = { class: "gz-many", "data-first": run.list[0], "data-last": run.list.at(-1) };
    let x = column * frame.column;
    for (const [share, colour] of painter.many(run.list)) {
      rect(x, run.start, share * frame.column, Math.max(0.8, run.stop - run.start), colour, more);
      x += share * frame.column;
    }
  };
  for (let i = frame.root; i < model.end[frame.root];) {
    const column = model.depth[i] - model.depth[frame.root];
    if (column >= frame.columns || !model.inTree(i)) {
      i = model.end[i];
      continue;
    }
    const { x, y, height } = placeOf(picture, frame, i);
    if (height >= BOX) {
      flush(column);
      const colour = painter.one(i);
      rect(x, y, frame.column, height, colour, { class: height > 5 ? "gz-box" : "gz-thin", "data-i": i });
      addStrip(picture, labels, i, x + frame.column, y, height);
      if (height >= TEXT) addLabel(picture, labels, i, { x, y, height, colour, column });
    } else {
      const run = runs[column];
      if (run && (y - run.stop > 0.8 || run.stop - run.start >= BOX)) flush(column);
      if (runs[column]) {
        runs[column].list.push(i);
        runs[column].stop = y + height;
      } else {
        runs[column] = { list: [i], start: y, stop: y + height };
      }
    }
    i += 1;
  }
  runs.forEach((_, column) => flush(column));
  picture.svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  picture.svg.setAttribute("height", frame.height);
  picture.svg.replaceChildren(boxes, labels, picture.ring);
  drawRing(picture);
}

// Of which roles the classes below a box are, at its right edge.
function addStrip(picture, layer, i, right, y, height) {
  const { painter, model } = picture;
  if (painter.values || height < TEXT || !model.kept[i].length) return;
  const parts = painter.parts(i);
  if (parts.length < 2) return;
  const total = parts.reduce((sum, [count]) => sum + count, 0);
  let top = y + 1;
  for (const [count, colour] of parts) {
    const size = ((height - 2) * count) / total;
    layer.append(draw("rect", { class: "gz-strip", x: (right - STRIP - 1).toFixed(2), y: top.toFixed(2), width: STRIP, height: size.toFixed(2), fill: colour }));
    top += size;
  }
}

function addLabel(picture, layer, i, box) {
  const { model, painter, frame } = picture;
  const more = model.kept[i].length && box.column === frame.columns - 1;
  const strip = painter.values ? 0 : STRIP;
  const room = frame.column - 12 - (more ? 10 : 0) - strip;
  const ink = inkOn(box.colour);
  const two = box.height >= 38;
  const middle = box.y + (two ? 15 : Math.min(box.height / 2, 14) + 0.5);
  const text = (x, y, content, attributes) => content && layer.append(draw("text",
    { x: x.toFixed(2), y: y.toFixed(2), fill: ink, ...attributes }, content));
  text(box.x + 6, middle, cut(model.label(i), room, FONT), {});
  if (more) text(box.x + frame.column - 12 - strip, middle, "›", { class: "gz-more" });
  if (!two) return;
  const all = painter.values || !model.kept[i].length ? "" : classesOf(model, i);
  const short = widthOf(all, FONT) > room ? all.replace(/ class(es)?$/, "") : all; // numbers whole
  const said = painter.values ? written(painter.values.kind, valueOf(model, painter.values, i)) : short;
  text(box.x + 6, middle + 15, cut(said, room, FONT), { class: "gz-second" });
}

// The synset in focus: a ring, and its name where its box is too small to hold it.
function drawRing(picture) {
  const { model, frame, focus } = picture;
  picture.ring.replaceChildren();
  if (!model.inTree(focus) || !model.isWithin(focus, frame.root)) return;
  const { x, y, height } = placeOf(picture, frame, focus);
  if (x >= frame.width - 1) return;
  const high = Math.max(4, height);
  const top = Math.min(Math.max(0, y + height / 2 - high / 2), frame.height - high);
  const shape = { x: x + 1, y: top + 1, width: frame.column - 2, height: Math.max(1, high - 2), rx: 2 };
  picture.ring.append(draw("rect", { class: "gz-halo", ...shape }), draw("rect", { class: "gz-focus", ...shape }));
  if (height >= TEXT) return;
  const name = cut(model.label(focus), frame.width - 24, FONT);
  const wide = widthOf(name, FONT) + 12;
  const left = Math.min(Math.max(0, x + 8), frame.width - wide);
  const line = top > 26 ? top - 24 : top + high + 4;
  picture.ring.append(
    draw("rect", { class: "gz-callout", x: left, y: line, width: wide, height: 20, rx: 3 }),
    draw("text", { class: "gz-callout-text", x: left + 6, y: line + 10.5 }, name),
  );
}

// The synset under a place of a box: of many in one, the one whose part it is.
function synsetAt(picture, target, event) {
  const own = target.getAttribute && target.getAttribute("data-i");
  if (own !== null && own !== undefined) return Number(own);
  const first = target.getAttribute && target.getAttribute("data-first");
  if (first === null || first === undefined) return -1;
  const { model, frame } = picture;
  const box = picture.svg.getBoundingClientRect();
  const at = ((event.clientY - box.top) / box.height) * model.span(frame.root) + model.before[frame.root];
  const last = Number(target.getAttribute("data-last"));
  let found = Number(first);
  for (let i = found; i <= last; i += 1) {
    if (model.depth[i] === model.depth[found] && model.inTree(i) && model.before[i] <= at) found = i;
  }
  return found;
}

// The highest zoom, from the present one on, in which a synset has a name; else its parent.
function rootFor(picture, i) {
  const { model } = picture;
  const line = lineage(model, i);
  const start = Math.max(0, line.indexOf(line.includes(picture.root) ? picture.root : commonRoot(picture, line)));
  const last = model.kept[i].length ? line.length - 1 : Math.max(0, line.length - 2);
  for (let at = start; at < last; at += 1) {
    const frame = frameOf(picture, line[at]);
    const box = placeOf(picture, frame, i);
    if (box.height >= TEXT && model.depth[i] - model.depth[line[at]] < frame.columns) return line[at];
  }
  return line[Math.max(start, last)];
}

function commonRoot(picture, line) {
  return line.filter((each) => picture.model.isWithin(picture.root, each)).at(-1) ?? 0;
}

// The next synset at the same depth, in a direction: a sibling, else a cousin.
function besides(model, i, step, root) {
  for (let at = i + step; at >= root && at < model.end[root]; at += step) {
    if (model.depth[at] === model.depth[i] && model.inTree(at)) return at;
  }
  return i;
}
