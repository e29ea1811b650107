"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (name, text, kind) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  const drawing = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  /* Boxes that are wider than the page are marked. */
  const markWide = () => {
    for (const box of all(".box")) box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1);
  };
  addEventListener("resize", markWide);

  /* Nothing comes last in both directions. */
  const order = (one, other, sign) => {
    const gone = [one, other].map((value) => value === null || value === undefined || value === "");
    if (gone[0] || gone[1]) return gone[0] - gone[1];
    if (typeof one === "number" && typeof other === "number") return sign * (one - other);
    return sign * String(one).localeCompare(String(other), "en", { numeric: true });
  };
  /* A column sorts first the way that puts the good or the early first, then the other way. */
  const turn = (head) => {
    const first = head.dataset.first || "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const next = head.getAttribute("aria-sort") === first ? other : first;
    for (const each of all("th", head.parentElement)) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", next);
    return next === "ascending" ? 1 : -1;
  };

  for (const table of all("table.sortable")) {
    const heads = all("thead th", table);
    const body = table.tBodies[0];
    for (const head of heads) {
      const button = head.querySelector("button");
      if (!button) continue;
      button.addEventListener("click", () => {
        const sign = turn(head);
        const place = heads.indexOf(head);
        const value = (row) => {
          const given = row.cells[place].dataset.value;
          if (given === undefined) return row.cells[place].textContent.trim();
          return given === "" ? null : Number(given);
        };
        const rows = [...body.rows].sort((one, other) => order(value(one), value(other), sign));
        body.append(...rows);
      });
    }
  }

  for (const button of all("[data-all]")) {
    button.addEventListener("click", () => {
      const on = document.getElementById(button.dataset.all).classList.toggle("all");
      button.setAttribute("aria-pressed", on);
      markWide();
    });
  }

  for (const button of all("[data-toggle]")) {
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", on);
      const task = button.closest(".task");
      for (const series of all(`[data-series="${button.dataset.toggle}"]`, task)) series.classList.toggle("hidden", !on);
    });
  }

  for (const select of all("select[data-shows]")) {
    const show = () => {
      for (const part of all(`[data-part="${select.dataset.shows}"]`)) part.hidden = part.dataset.key !== select.value;
      markWide();
    };
    select.addEventListener("change", show);
    show();
  }

  const percent = (value) => (value === null || value === undefined ? "" : value.toFixed(1));
  const spark = (values, names) => {
    const width = 9 * values.length;
    const at = (value, place) => `${4.5 + 9 * place} ${13 - 0.11 * value}`;
    const said = values.map((value, place) => (value === null ? "" : `${names[place]}: ${percent(value)}`));
    const svg = drawing("svg", { class: "spark", viewBox: `0 0 ${width} 15`, width, role: "img", "aria-label": said.filter(Boolean).join(", ") });
    const title = drawing("title", {});
    title.textContent = said.filter(Boolean).join(", ");
    svg.append(title);
    svg.append(drawing("path", { class: "frame", d: `M0 13H${width}M0 2H${width}` }));
    let way = "";
    values.forEach((value, place) => {
      if (value !== null) way += (place && values[place - 1] !== null ? "L" : "M") + at(value, place);
    });
    svg.append(drawing("path", { d: way }));
    values.forEach((value, place) => {
      if (value !== null) svg.append(drawing("circle", { cx: 4.5 + 9 * place, cy: 13 - 0.11 * value, r: 2.2 }));
    });
    return svg;
  };

  /* The table of classes: rows are drawn as they are wanted, for there may be 20,000. */
  const FIRST = 10;
  for (const part of all(".classes")) {
    const data = JSON.parse(document.getElementById(part.dataset.json).textContent);
    const select = part.querySelector("select.model");
    const kind = part.querySelector("select.kind");
    const filter = part.querySelector("input");
    const said = part.querySelector("[role=status]");
    const more = part.querySelector(".more");
    const zeros = part.querySelector(".zeros");
    const table = part.querySelector("table");
    const body = table.tBodies[0];
    const hops = (row) => (row[2] === null ? null : row[2] === row[3] ? String(row[2]) : `${row[2]}–${row[3]}`);
    const model = () => data.models[select ? Number(select.value) : 0];
    /* Mean hit@1 of all models; null for a class that none of them knows, so that it comes last. */
    const means = data.classes.map((_, place) => {
      const known = data.models.map((each) => each.hit1[place]).filter((each) => each !== null);
      return known.reduce((sum, each) => sum + each, 0) / known.length || null;
    });
    const value = {
      name: (place) => data.classes[place][0],
      wnid: (place) => data.classes[place][1],
      kind: (place) => (data.classes[place][9] ? "training" : "unseen"),
      hops: (place) => data.classes[place][2],
      closest: (place) => data.classes[place][4],
      population: (place) => data.classes[place][6],
      depth: (place) => data.classes[place][7],
      samples: (place) => data.classes[place][8],
      all: (place) => means[place],
      hit1: (place) => model().hit1[place],
      hit5: (place) => model().hit5[place],
      seeds: (place) => (model().seeds ? model().hit1[place] : null),
      wrong: (place) => (model().wrong[place] ? model().wrong[place][0] : null),
    };
    const text = {
      ...value,
      hops: (place) => hops(data.classes[place]),
      closest: (place) => {
        const row = data.classes[place];
        return row[4] === null ? null : row[4] + (row[5] > 1 ? ` (+\u00a0${row[5] - 1})` : "");
      },
      population: (place) => data.classes[place][6]?.toLocaleString("en"),
      all: (place) => percent(means[place] ?? 0),
      hit1: (place) => percent(model().hit1[place]),
      hit5: (place) => percent(model().hit5[place]),
      wrong: (place) => {
        const found = model().wrong[place];
        return found ? `${found[0]} (${percent(found[1])}\u00a0%)` : null;
      },
    };
    const heads = all("thead th", table);
    let key = part.querySelector("th[aria-sort]").dataset.key;
    let sign = 1;
    let count = FIRST;
    const draw = () => {
      table.classList.toggle("one-kind", Boolean(kind?.value));
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      const places = data.classes
        .map((_, place) => place)
        .filter((place) => model().hit1[place] !== null && (!kind?.value || kind.value === value.kind(place)))
        .filter((place) => {
          const row = data.classes[place];
          const found = `${row[0]} ${row[1]}`.toLowerCase();
          return words.every((word) => found.includes(word));
        });
      places.sort((one, other) => order(value[key](one), value[key](other), sign) || one - other);
      body.replaceChildren(
        ...places.slice(0, count).map((place) => {
          const row = make("tr");
          for (const head of heads) {
            const name = head.dataset.key;
            const cell = make(name === "name" ? "th" : "td", text[name](place) ?? "", head.className);
            if (name === "name") cell.scope = "row";
            if (name === "seeds") {
              const seeds = model().seeds?.[place];
              cell.replaceChildren(...(seeds?.filter((each) => each !== null).length > 1 ? [spark(seeds, model().seed_names)] : []));
            }
            row.append(cell);
          }
          return row;
        }),
      );
      const shown = Math.min(count, places.length);
      const count_of = places.length === 1 ? "1 class" : `${places.length.toLocaleString("en")} classes`;
      said.textContent = !shown ? "no class matches" : shown === places.length ? count_of : `${shown.toLocaleString("en")} of ${count_of} shown`;
      more.hidden = shown === places.length;
      const unknown = places.filter((place) => means[place] === null).length;
      zeros.hidden = !unknown || key !== "all";
      zeros.textContent = `hit@1 is 0 with every model for ${unknown.toLocaleString("en")} of ${count_of}: these come last.`;
      markWide();
    };
    for (const head of heads) {
      head.querySelector("button").addEventListener("click", () => {
        sign = turn(head);
        key = head.dataset.key;
        draw();
      });
    }
    filter.addEventListener("input", () => { count = FIRST; draw(); });
    for (const each of [select, kind]) each?.addEventListener("change", draw);
    more.addEventListener("click", () => { count += 200; draw(); });
    draw();
  }
  markWide();
})();
