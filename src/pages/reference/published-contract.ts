import { parse, parseDocument } from "yaml";

/** The contract as a deployment publishes it, with the address of that deployment as the server. */
export interface PublishedContract {
  yaml: Buffer;
  json: Buffer;
}

/** Puts the address of a deployment into the text of openapi.yaml: as the server, and into the examples. */
export function publishContract(text: string, publicUrl: string): PublishedContract {
  const own = String(parseDocument(text).getIn(["servers", 0, "url"]));
  const document = parseDocument(text.replaceAll(`${own}/`, `${publicUrl}/`));
  document.setIn(["servers"], [{ url: publicUrl, description: "This service." }]);
  const yaml = document.toString({ lineWidth: 0 });
  return { yaml: Buffer.from(yaml), json: Buffer.from(JSON.stringify(parse(yaml))) };
}
