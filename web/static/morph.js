// Changes a part of the page into what the server drew, touching as little as can be: what is focused stays focused, what
// is being typed stays typed, and whatever did not change keeps moving or being held.

/** Classes that the script gives; the server knows nothing of them. */
const OWN_CLASSES = ["pressed", "holding", "armed", "hurry", "stopped", "carried", "to-come", "lit"];

/** What the script itself has set on an element: names of attributes, or "content". */
const own = new WeakMap();

/** Let new versions of the page leave `name` of `element` alone. */
export function keep(element, name) {
  if (!own.has(element)) own.set(element, new Set());
  own.get(element).add(name);
}

/** Let new versions of the page change `name` of `element` again. */
export function release(element, name) {
  own.get(element)?.delete(name);
}

/** Make the inside of `target` what `html` says. */
export function morph(target, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const focused = document.activeElement;
  const hadFocus = target.contains(focused) && focused !== target;
  const caret = caretOf(focused);
  const typed = [...target.querySelectorAll("input, select, textarea")]
    .filter((field) => field === focused || isTyped(field))
    .map((field) => [field, valueOf(field)]);
  morphChildren(target, template.content);
  for (const [field, value] of typed) {
    if (field.isConnected) restore(field, value);
  }
  if (hadFocus) refocus(target, focused, caret);
}

function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") || node.id : "";
}

/** Nodes of one kind can become each other. */
function kindOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeName;
  const key = keyOf(node);
  return key ? `${node.nodeName}#${key}` : `${node.nodeName}.${node.classList[0] ?? ""}`;
}

function morphChildren(parent, wanted) {
  const later = new Map();
  for (const node of wanted.childNodes) later.set(kindOf(node), (later.get(kindOf(node)) ?? 0) + 1);
  const keyed = new Map();
  for (const node of parent.childNodes) {
    if (keyOf(node)) keyed.set(kindOf(node), node);
  }
  let at = parent.firstChild;
  for (const next of [...wanted.childNodes]) {
    const kind = kindOf(next);
    while (at && kindOf(at) !== kind && !later.get(kindOf(at))) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    later.set(kind, later.get(kind) - 1);
    if (at && kindOf(at) === kind) {
      morphNode(at, next);
      at = at.nextSibling;
    } else if (keyed.get(kind)?.parentNode === parent) {
      parent.insertBefore(keyed.get(kind), at);
      morphNode(keyed.get(kind), next);
    } else {
      parent.insertBefore(next, at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function morphNode(node, next) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== next.nodeValue) node.nodeValue = next.nodeValue;
    return;
  }
  if (node.isEqualNode(next)) return;
  const isUntouched = !isTyped(node) && node !== document.activeElement;
  morphAttributes(node, next);
  if (isUntouched) resetField(node);
  const isWrittenHere = own.get(node)?.has("content") || node.hasAttribute("data-ends");
  if (!isWrittenHere) morphChildren(node, next);
}

function morphAttributes(node, next) {
  const kept = own.get(node);
  for (const { name, value } of [...next.attributes]) {
    if (kept?.has(name)) continue;
    const wanted = name === "class" ? withOwnClasses(node, value) : value;
    if (node.getAttribute(name) !== wanted) node.setAttribute(name, wanted);
  }
  for (const { name } of [...node.attributes]) {
    if (next.hasAttribute(name) || kept?.has(name) || isOpenness(node, name)) continue;
    const left = name === "class" ? withOwnClasses(node, "") : "";
    if (left) node.setAttribute(name, left);
    else node.removeAttribute(name);
  }
}

/** Whether a dialog or a fold is open is for the person to say. */
function isOpenness(node, name) {
  return name === "open" && (node.nodeName === "DETAILS" || node.nodeName === "DIALOG");
}

function withOwnClasses(node, classes) {
  const given = OWN_CLASSES.filter((name) => node.classList.contains(name));
  return [classes, ...given].filter(Boolean).join(" ");
}

// Fields

function isChecked(field) {
  return field.type === "checkbox" || field.type === "radio";
}

function isTyped(field) {
  switch (field.nodeName) {
    case "INPUT":
      return isChecked(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
    case "TEXTAREA":
      return field.value !== field.defaultValue;
    case "SELECT":
      return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
    default:
      return false;
  }
}

function valueOf(field) {
  return isChecked(field) ? field.checked : field.value;
}

function restore(field, value) {
  if (field.type === "radio") {
    // One that was not chosen may be the only one left.
    if (value) field.checked = true;
  } else if (isChecked(field)) {
    field.checked = value;
  } else if (field.value !== value) {
    field.value = value;
  }
}

function resetField(field) {
  if (field.nodeName === "INPUT" && isChecked(field)) field.checked = field.defaultChecked;
  else if (field.nodeName === "INPUT" || field.nodeName === "TEXTAREA") field.value = field.defaultValue;
}

// Focus

function caretOf(element) {
  try {
    return element && "selectionStart" in element ? [element.selectionStart, element.selectionEnd] : null;
  } catch {
    return null;
  }
}

function refocus(target, focused, caret) {
  if (document.activeElement === focused && focused.isConnected) return;
  const same = focused.isConnected ? focused : focused.id && document.getElementById(focused.id);
  const to = same && target.contains(same) ? same : target;
  to.focus({ preventScroll: true });
  if (to === same && caret && caret[0] !== null && to.setSelectionRange) to.setSelectionRange(...caret);
}
