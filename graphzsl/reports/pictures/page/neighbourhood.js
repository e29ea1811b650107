// The neighbourhood: what lies within some hops of a synset, with all edges of the hierarchy,
// parents at the left.

const MOST = 60; // synsets that are drawn
const LINE = 26; // from one box of a column to the next
const TALL = 20; // a box

function neighboursOf(model, centre, hops) {
  const distance = new Map([[centre, 0]]);
  let border = [centre];
  for (let hop = 1; hop <= hops; hop += 1) {
    const next = [];
    for (const i of border) {
      for (const other of [...model.up[i], ...model.down[i]]) {
        if (!distance.has(other) && model.data.wnid[other]) {
          distance.set(other, hop);
          next.push(other);
        }
      }
    }
    border = next;
  }
  // the nearest first, then by role; what is above always comes before its neighbours
  const rank = (i) => (model.data.role[i] === model.classKinds ? -1 : model.data.role[i]);
  const order = [...distance.keys()].sort((a, b) => distance.get(a) - distance.get(b)
    || Number(model.down[b].includes(centre)) - Number(model.down[a].includes(centre))
    || rank(a) - rank(b) || a - b);
  return { shown: connected(model, order.slice(0, MOST), distance), all: order.length, distance };
}

// Without those whose every way to the centre leads over what is left out.
function connected(model, list, distance) {
  const kept = new Set();
  for (const i of list) {
    if (!distance.get(i) || [...model.up[i], ...model.down[i]].some(
      (other) => kept.has(other) && distance.get(other) === distance.get(i) - 1)) kept.add(i);
  }
  return [...kept];
}

// [columns of synsets], every parent left of its children, in an order with few crossings.
function layersOf(model, shown) {
  const inside = new Set(shown);
  const level = new Map();
  const levelOf = (i) => {
    if (!level.has(i)) {
      level.set(i, 0);
      const above = model.up[i].filter((each) => inside.has(each));
      level.set(i, above.length ? 1 + Math.max(...above.map(levelOf)) : 0);
    }
    return level.get(i);
  };
  shown.forEach(levelOf);
  for (const i of shown) { // what has no parent here stands just left of its children
    const below = model.down[i].filter((each) => inside.has(each));
    if (below.length && !model.up[i].some((each) => inside.has(each))) {
      level.set(i, Math.min(...below.map((each) => level.get(each))) - 1);
    }
  }
  const columns = [];
  for (const i of shown) (columns[level.get(i)] ??= []).push(i);
  const filled = columns.filter(Boolean);
  const place = new Map();
  const number = (column) => column.forEach((i, at) => place.set(i, (at + 0.5) / column.length));
  filled.forEach(number);
  for (let sweep = 0; sweep < 6; sweep += 1) {
    const links = sweep % 2 ? model.down : model.up;
    for (const column of sweep % 2 ? [...filled].reverse() : filled) {
      const pull = new Map(column.map((i) => {
        const near = links[i].filter((each) => inside.has(each));
        return [i, near.length ? near.reduce((sum, each) => sum + place.get(each), 0) / near.length : place.get(i)];
      }));
      column.sort((a, b) => pull.get(a) - pull.get(b) || a - b);
      number(column);
    }
  }
  return filled;
}

// What each is called; where several are called the same, with the sense of each: tabby (n.02).
function captionsOf(model, shown) {
  const times = new Map();
  for (const i of shown) times.set(model.label(i), (times.get(model.label(i)) ?? 0) + 1);
  return new Map(shown.map((i) => {
    const sense = (model.data.name[i].match(/\.([a-z]\.\d+)$/) ?? [])[1] ?? model.data.wnid[i];
    const label = model.label(i);
    return [i, times.get(label) > 1 ? `${label} (${sense})` : label];
  }));
}

function drawNeighbourhood(picture) {
  const { model, painter, focus, graph } = picture;
  const width = Math.max(240, graph.area.clientWidth);
  const narrow = width < 560;
  const { shown, all, distance } = neighboursOf(model, focus, picture.hops);
  const layers = layersOf(model, shown);
  const widest = narrow ? 104 : 190;
  const captions = captionsOf(model, shown);
  const boxes = new Map();
  const height = Math.max(3, ...layers.map((column) => column.length)) * LINE + 8;
  const gap = narrow ? 22 : 56;
  let x = 4;
  for (const column of layers) {
    const wide = Math.min(widest, 18 + Math.max(...column.map((i) => widthOf(captions.get(i), FONT))));
    const top = (height - column.length * LINE) / 2 + (LINE - TALL) / 2;
    column.forEach((i, at) => boxes.set(i, { x, y: top + at * LINE, wide }));
    x += wide + gap;
  }
  const total = x - gap + 4;
  const lines = draw("g", { class: "gz-edges", "aria-hidden": "true" });
  const nodes = draw("g");
  for (const i of shown) {
    for (const parent of model.up[i]) {
      if (!boxes.has(parent)) continue;
      const [from, to] = [boxes.get(parent), boxes.get(i)];
      const [a, b] = [from.x + from.wide, to.x];
      const bend = Math.max(16, (b - a) / 2);
      lines.append(draw("path", {
        class: `gz-edge${model.single.has(i) ? " gz-instance" : ""}${[i, parent].includes(focus) ? " gz-own" : ""}`,
        d: `M${a} ${from.y + TALL / 2}C${a + bend} ${from.y + TALL / 2} ${b - bend} ${to.y + TALL / 2} ${b} ${to.y + TALL / 2}`,
      }));
    }
  }
  for (const [i, box] of [...boxes].sort((a, b) => a[1].x - b[1].x || a[1].y - b[1].y)) {
    const colour = painter.one(i);
    const away = distance.get(i);
    nodes.append(draw("g", {
      class: `gz-node${i === focus ? " gz-centre" : ""}`, "data-i": i, role: "button",
      tabindex: i === focus ? 0 : -1,
      "aria-label": `${model.label(i)}, ${model.data.called[model.kind(i)]}, ${away ? counted(away, "hop", "hops") : "the centre"}`,
    },
    draw("title", {}, describe(picture, i)),
    draw("rect", { x: box.x, y: box.y, width: box.wide, height: TALL, rx: 4, fill: colour }),
    draw("text", { x: box.x + 8, y: box.y + TALL / 2 + 0.5, fill: inkOn(colour) }, cut(captions.get(i), box.wide - 14, FONT))));
  }
  graph.svg.setAttribute("viewBox", `0 0 ${total} ${height}`);
  graph.svg.setAttribute("width", total);
  graph.svg.setAttribute("height", height);
  graph.svg.replaceChildren(lines, nodes);
  // where the graph is wider or higher than its place, the centre is in sight
  const own = boxes.get(focus);
  graph.area.scrollLeft = own.x + own.wide / 2 - graph.area.clientWidth / 2;
  graph.area.scrollTop = own.y - graph.area.clientHeight / 2;
  graph.hint.hidden = graph.area.scrollWidth <= graph.area.clientWidth + 1
    && graph.area.scrollHeight <= graph.area.clientHeight + 1;
  const rest = all - shown.length;
  graph.title.textContent = `Neighbourhood of ${model.label(focus)}`;
  graph.said.textContent = `${counted(shown.length - 1, "synset", "synsets")} within ${counted(picture.hops, "hop", "hops")}`
    + `${rest ? `, ${whole.format(rest)} more ${rest === 1 ? "is" : "are"} not drawn` : ""}. Parents are at the left; all edges between them are drawn`
    + `${shown.some((i) => model.single.has(i)) ? ", those of single persons and places dashed" : ""}.`;
}

// The box of the graph that is next in a direction.
function stepInGraph(graph, from, key) {
  const at = (node) => {
    const box = node.querySelector("rect");
    return [Number(box.getAttribute("x")), Number(box.getAttribute("y"))];
  };
  const [x, y] = at(from);
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  let best = null;
  let least = Infinity;
  for (const node of graph.svg.querySelectorAll(".gz-node")) {
    const [a, b] = at(node);
    const ahead = sign * (across ? a - x : b - y);
    if (node === from || ahead <= 0 || (!across && a !== x)) continue;
    const far = across ? ahead * 10 + Math.abs(b - y) : ahead;
    if (far < least) [best, least] = [node, far];
  }
  return best;
}

function neighbourhoodPart(picture) {
  const svg = draw("svg", { role: "group", "aria-label": "Neighbourhood" });
  const area = make("div", { class: "gz-graph" }, svg);
  const title = make("h3", {});
  const said = make("p", { class: "gz-note" });
  const hint = make("p", { class: "gz-note gz-hint", hidden: "" }, "The graph is larger than its frame: scroll it.");
  const hops = make("select", { "aria-label": "Hops" },
    ...[1, 2, 3].map((each) => make("option", { value: each }, counted(each, "hop", "hops"))));
  picture.hops = 2;
  hops.value = String(picture.hops);
  hops.addEventListener("change", () => {
    picture.hops = Number(hops.value);
    drawNeighbourhood(picture);
  });
  picture.graph = { svg, area, title, said, hint };
  const nodeOf = (event) => event.target.closest(".gz-node");
  const centre = (node) => {
    picture.goTo(Number(node.getAttribute("data-i")));
    svg.querySelector(".gz-centre").focus({ preventScroll: true });
  };
  svg.addEventListener("click", (event) => nodeOf(event) && centre(nodeOf(event)));
  svg.addEventListener("keydown", (event) => {
    const node = nodeOf(event);
    if (!node) return;
    if (event.key === "Enter" || event.key === " ") centre(node);
    else if (event.key.startsWith("Arrow")) {
      const next = stepInGraph(picture.graph, node, event.key);
      if (next) {
        node.setAttribute("tabindex", -1);
        next.setAttribute("tabindex", 0);
        next.focus();
      }
    } else return;
    event.preventDefault();
  });
  return make("section", { class: "gz-neighbourhood" },
    make("div", { class: "gz-bar" }, title, make("label", {}, "within ", hops)), said, hint, area);
}
