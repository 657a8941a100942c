// What an event carries, as far as a form needs it: a small part of JSON Schema, plain data.

/** A part of JSON Schema; whatever else a schema says is passed over. */
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

/** Schemas of payloads by type of the event; `type` itself is in none of them. */
export type EventSchemas = Readonly<Record<string, PayloadSchema>>
