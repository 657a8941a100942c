// Error bodies in the format of each service, so that the official client parses them.

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers })
}

/** `{ code, message, details, hint }`, as the REST server returns. */
export function restError(
  status: number,
  code: string,
  message: string,
  details?: string,
  headers: Record<string, string> = {},
): Response {
  return json(status, { code, message, details: details ?? null, hint: null }, headers)
}

/** `{ message }`, as the gateway and the realtime API return. */
export function gatewayError(status: number, message: string, hint?: string): Response {
  return json(status, hint === undefined ? { message } : { message, hint })
}
