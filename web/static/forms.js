// What a form says, as the command that it stands for.

/** The members that the named fields of `form` fill in. */
export function valuesOf(form) {
  const values = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled) continue;
    if (field.type === "radio" && !field.checked) continue;
    values[field.name] = convert(field.type === "checkbox" ? field.checked : field.value, field.dataset.as);
  }
  return values;
}

/** `command` with `values` filled in, into its member `into` where one is named. */
export function filledIn(command, values, into) {
  return into ? { ...command, [into]: { ...command[into], ...values } } : { ...command, ...values };
}

/** A field's value as the kind that `data-as` names; what cannot be converted goes as it is, for the server to say so. */
export function convert(value, as) {
  switch (as) {
    case "int":
      return value.trim() === "" ? null : number(value.trim());
    case "bool":
      return value === true || value === "true" || value === "on";
    case "loads":
      return numbers(value);
    case "rounds":
      return value.split("\n").filter((line) => line.trim()).map(numbers);
    default:
      return value;
  }
}

function number(text) {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

function numbers(text) {
  return text.split(/[\s,;·/]+/).filter(Boolean).map((word) => number(word.replace(/^[A-Za-z]:?/, "")));
}
