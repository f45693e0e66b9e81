/** A JSON text as a value; undefined for what is none: whoever judges the text itself (the provider, the client) gets it as it is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An error page in HTML, `[DONE]`, an event that broke off: here it only says nothing.
    return undefined;
  }
}
