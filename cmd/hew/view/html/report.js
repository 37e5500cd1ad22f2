"use strict";
// The page is whole without this: it adds search, filters, keys, and links that unfold what they lead to.
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (what, within = document) => [...within.querySelectorAll(what)];

  const theme = $("theme");
  try {
    theme.value = localStorage.getItem("hew-theme") || "";
    theme.onchange = () => localStorage.setItem("hew-theme", theme.value);
  } catch { /* a page that may keep nothing */ }

  const bar = $("bar");
  if (!bar) return;
  const units = all("[data-a]"), boxes = all(".b"), objects = all(".c");
  const q = $("q"), filters = all("button[data-f]");
  const heads = all(".group > summary, .c > summary, div.c"); // where the keys stop
  const place = new Map(heads.map((h, i) => [h, i]));
  const state = { q: "", a: new Set(), c: new Set(), g: new Set() };
  const names = { a: "action", c: "cause", g: "guards" };

  // What a change is found by: all that is said of it, and where it is.
  let texts;
  const index = () => texts ??= units.map((u) => {
    const object = u.closest(".c");
    const head = u === object ? "" : object.firstElementChild.textContent + " ";
    return (head + u.textContent + " " + (u.closest("[data-p]")?.dataset.p ?? "")).toLowerCase();
  });

  const active = () => state.q || state.a.size || state.c.size || state.g.size;
  const words = () => state.q.toLowerCase().split(/\s+/).filter(Boolean);

  // What a search has unfolded is folded again when it ends.
  const opened = new Set();
  const unfold = (box) => { if (!box.open) { box.open = true; opened.add(box); } };

  function show() {
    const sought = words(), found = sought.length ? index() : null;
    const seen = new Set();
    let n = 0;
    opened.forEach((box) => { box.open = false; });
    opened.clear();
    units.forEach((u, i) => {
      const d = u.dataset;
      const fits = (!state.a.size || state.a.has(d.a)) && (!state.g.size || "g" in d) &&
        (!state.c.size || (d.c ?? "").split(" ").some((c) => state.c.has(c))) && sought.every((w) => found[i].includes(w));
      if (u.hidden === fits) u.hidden = !fits;
      if (!fits) return;
      n++;
      for (let box = u; box && !seen.has(box); box = box.parentElement.closest(".b")) seen.add(box);
    });
    let open = 200; // so many objects at the most, or there would be nothing to see for all that is open
    for (const box of boxes) {
      if (box.hidden === seen.has(box)) box.hidden = !seen.has(box);
      if (!active() || box.hidden || !box.matches("details")) continue;
      if (!box.matches(".c")) unfold(box);
      else if (sought.length && open-- > 0 && !sought.every((w) => box.firstElementChild.textContent.toLowerCase().includes(w))) unfold(box);
    }
    document.body.classList.toggle("filtered", Boolean(active()));
    const size = units.length.toLocaleString("en");
    $("shown").value = (active() ? `${n.toLocaleString("en")} of ${size} ` : `${size} `) + (units.length === 1 ? "change" : "changes");
    $("nothing").hidden = n > 0;
    $("clear").hidden = !active();
    filters.forEach((b) => b.setAttribute("aria-pressed", state[b.dataset.f].has(b.value)));
    mark(sought);
  }

  // The words that were looked for are marked where the browser can do so without touching the page.
  function mark(sought) {
    if (!CSS.highlights) return;
    CSS.highlights.delete("found");
    if (!sought.length) return;
    const ranges = [];
    for (const o of objects) {
      if (o.hidden) continue;
      const text = document.createTreeWalker(o, NodeFilter.SHOW_TEXT);
      for (let node; (node = text.nextNode()) && ranges.length < 500;) {
        const low = node.data.toLowerCase();
        if (low.length !== node.length) continue; // some letters are more than one in lower case
        for (const w of sought) {
          for (let at = low.indexOf(w); at >= 0; at = low.indexOf(w, at + w.length)) {
            const r = new Range();
            r.setStart(node, at);
            r.setEnd(node, at + w.length);
            ranges.push(r);
          }
        }
      }
      if (ranges.length >= 500) break;
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  }

  // The address of the page keeps what is looked for: #q=hook&action=delete.
  function write() {
    const p = new URLSearchParams();
    if (state.q) p.set("q", state.q);
    for (const f in names) if (state[f].size) p.set(names[f], [...state[f]].join(","));
    const hash = p.toString();
    try {
      history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
    } catch { /* a page without an address of its own */ }
  }

  function read() {
    const hash = location.hash.slice(1);
    const ours = /^(q|action|cause|guards)=/.test(hash);
    const p = new URLSearchParams(ours ? hash : "");
    state.q = q.value = p.get("q") ?? "";
    for (const f in names) state[f] = new Set((p.get(names[f]) ?? "").split(",").filter(Boolean));
    show();
    if (!hash || ours) return;
    if (document.readyState === "complete") reveal(hash);
    else addEventListener("load", () => reveal(hash)); // until then the browser goes there itself, and takes the focus along
  }

  function reveal(hash) {
    let to;
    try { to = $(decodeURIComponent(hash)) ?? $(hash); } catch { to = $(hash); }
    if (!to) return;
    for (let box = to; box; box = box.parentElement?.closest("details")) if (box.matches("details")) box.open = true;
    to.scrollIntoView({ block: "start" });
    const object = to.closest(".c");
    if (object) (object.matches("details") ? object.firstElementChild : object).focus({ preventScroll: true });
  }

  const change = () => { show(); write(); };
  function clear() {
    state.q = q.value = "";
    for (const f in names) state[f].clear();
    change();
  }

  let due;
  q.oninput = () => {
    cancelAnimationFrame(due);
    due = requestAnimationFrame(() => { state.q = q.value.trim(); change(); });
  };
  filters.forEach((b) => {
    b.disabled = false;
    b.onclick = () => {
      const set = state[b.dataset.f];
      if (!set.delete(b.value)) set.add(b.value);
      change();
    };
  });
  $("clear").onclick = $("again").onclick = clear;
  const fold = (open) => { opened.clear(); boxes.forEach((b) => { if (b.matches("details") && !b.hidden) b.open = open; }); };
  $("all").onclick = () => fold(true);
  $("none").onclick = () => fold(false);
  bar.onsubmit = (e) => e.preventDefault();
  all("[hidden]", bar).concat(all(".keys")).forEach((e) => { if (e.id !== "clear") e.hidden = false; });

  // The next object that can be seen, in one direction.
  function step(by) {
    const now = place.get(document.activeElement) ?? place.get(document.activeElement.closest?.(".c, .group")?.firstElementChild);
    for (let i = now === undefined ? (by > 0 ? 0 : -1) : now + by; i >= 0 && i < heads.length; i += by) {
      if (!heads[i].checkVisibility()) continue;
      heads[i].focus({ preventScroll: true });
      heads[i].scrollIntoView({ block: "nearest" });
      return true;
    }
    return false;
  }

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const on = document.activeElement, typing = on === q, listed = place.has(on);
    if (on === theme) return;
    switch (typing && e.key.length === 1 ? "" : e.key) {
      case "/": q.focus(); q.select(); break;
      case "Escape": if (active()) clear(); else on.blur(); break;
      case "Enter": if (!typing || !step(1)) return; break;
      case "j": step(1); break;
      case "k": if (!step(-1)) q.focus(); break;
      case "ArrowDown": if (!(typing || listed) || !step(1)) return; break;
      case "ArrowUp": if (!listed) return; if (!step(-1)) q.focus(); break;
      case "ArrowRight": case "ArrowLeft":
        if (!listed || !on.matches("summary")) return;
        on.parentElement.open = e.key === "ArrowRight";
        break;
      default: return;
    }
    e.preventDefault();
  });

  let folded = [];
  addEventListener("beforeprint", () => { folded = all("details:not([open])"); folded.forEach((d) => { d.open = true; }); });
  addEventListener("afterprint", () => folded.forEach((d) => { d.open = false; }));
  addEventListener("hashchange", read);
  read();
})();
