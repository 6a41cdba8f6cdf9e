// The generated code contains the address of the service.
const output = { target: "generated/orval/client.ts", client: "fetch", baseUrl: process.env.BASE_URL };

export default { client: { input: "../../openapi.yaml", output } };
