// `runtime.ts` as an edge worker: a request brings the backend and is answered with the report.
import { type Backend, tryClient } from './runtime.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await tryClient((await request.json()) as Backend))
  },
}
