import { parse, parseDocument } from "yaml";

/** The contract as one deployment publishes it: with its own address as the server. */
export interface PublishedContract {
  yaml: Buffer;
  json: Buffer;
}

/** Puts the address of a deployment into the text of openapi.yaml. */
export function publishContract(text: string, publicUrl: string): PublishedContract {
  const document = parseDocument(text);
  document.setIn(["servers"], [{ url: publicUrl, description: "This service." }]);
  const yaml = document.toString({ lineWidth: 0 });
  return { yaml: Buffer.from(yaml), json: Buffer.from(JSON.stringify(parse(yaml))) };
}
