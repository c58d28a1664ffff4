// Converts field names of canonical JSON (`timeBudget`) to those of the contract (`time_budget`).

const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/**
 * A message with the field names of the contract. Unknown fields stay: the server refuses them by name.
 * @param {any} contract
 * @param {string} message
 * @param {any} value
 * @returns {any}
 */
export function contractNames(contract, message, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const fields = new Map(
    contract.messages[message].fields.flatMap((field) => [
      [field.name, field],
      [camel(field.name), field],
    ]),
  );
  const entry = ([name, inner]) => {
    const field = fields.get(name);
    if (!field) return [name, inner];
    if (!field.message) return [field.name, inner];
    const one = (part) => contractNames(contract, field.message, part);
    return [field.name, Array.isArray(inner) ? inner.map(one) : one(inner)];
  };
  return Object.fromEntries(Object.entries(value).map(entry));
}
