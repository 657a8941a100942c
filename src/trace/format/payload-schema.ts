// The payload of an event, as needed for a form: a small subset of JSON Schema, as plain data.

/** A subset of JSON Schema; other keywords are ignored. */
export interface PayloadSchema {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, PayloadSchema>>
  readonly required?: readonly string[]
  readonly items?: PayloadSchema
  readonly anyOf?: readonly PayloadSchema[]
}

/** Payload schemas by event type; they do not contain `type` itself. */
export type EventSchemas = Readonly<Record<string, PayloadSchema>>
