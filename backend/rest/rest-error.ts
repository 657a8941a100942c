// An error of a REST request, in PostgREST's form.

export interface RestErrorFields {
  /** HTTP status. */
  readonly status: number
  /** PostgREST's code, like `PGRST100`, or a SQLSTATE. */
  readonly code: string
  readonly message: string
  readonly details?: string | null | undefined | readonly Readonly<Record<string, unknown>>[]
  readonly hint?: string | null | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export class RestError extends Error {
  override name = 'RestError'
  readonly fields: RestErrorFields

  constructor(fields: RestErrorFields) {
    super(fields.message)
    this.fields = fields
  }

  /** The response, with the code in a header too: responses to HEAD have no body. */
  toResponse(isHead: boolean): Response {
    const { status, code, message, details = null, hint = null, headers } = this.fields
    return new Response(isHead ? null : JSON.stringify({ code, details, hint, message }), {
      status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'proxy-status': `PostgREST; error=${code}`,
        ...(status === 401 && { 'www-authenticate': 'Bearer' }),
        ...headers,
      },
    })
  }
}
