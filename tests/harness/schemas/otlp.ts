// The messages of OTLP that exports contain, by opentelemetry-proto 1.7, in the JSON encoding of OTLP: camelCase
// names, hexadecimal ids, enums as numbers, 64-bit numbers as strings; a misspelled field would be ignored by
// receivers, so none is allowed here.

const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const list = (items: object) => ({ type: 'array', items })
const string = { type: 'string' }
const uint32 = { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 }
const int64 = { type: 'string', pattern: '^-?\\d{1,19}$' }
const fixed64 = { type: 'string', pattern: '^\\d{1,20}$' }
/** Not only zeros, which means that there is no id. */
const traceId = { type: 'string', pattern: '^(?!0+$)[0-9a-f]{32}$' }
const spanId = { type: 'string', pattern: '^(?!0+$)[0-9a-f]{16}$' }

/** A oneof: exactly one field. */
const anyValue = {
  ...object({
    stringValue: string,
    boolValue: { type: 'boolean' },
    intValue: int64,
    doubleValue: { type: 'number' },
    bytesValue: string,
  }),
  minProperties: 1,
  maxProperties: 1,
}
const attributes = list(object({ key: { type: 'string', minLength: 1 }, value: anyValue }, ['key', 'value']))
const common = { attributes, droppedAttributesCount: uint32 }
const resource = object(common)
const scope = object({ name: string, version: string, ...common })

const event = object({ timeUnixNano: fixed64, name: string, ...common }, ['timeUnixNano', 'name'])
const link = object({ traceId, spanId, traceState: string, flags: uint32, ...common }, ['traceId', 'spanId'])
const span = object(
  {
    traceId,
    spanId,
    traceState: string,
    parentSpanId: spanId,
    flags: uint32,
    name: { type: 'string', minLength: 1 },
    kind: { enum: [0, 1, 2, 3, 4, 5] },
    startTimeUnixNano: fixed64,
    endTimeUnixNano: fixed64,
    ...common,
    events: list(event),
    droppedEventsCount: uint32,
    links: list(link),
    droppedLinksCount: uint32,
    status: object({ message: string, code: { enum: [0, 1, 2] } }),
  },
  ['traceId', 'spanId', 'name', 'startTimeUnixNano', 'endTimeUnixNano'],
)

const logRecord = object({
  timeUnixNano: fixed64,
  observedTimeUnixNano: fixed64,
  severityNumber: { type: 'integer', minimum: 0, maximum: 24 },
  severityText: string,
  body: anyValue,
  ...common,
  flags: uint32,
  traceId,
  spanId,
  eventName: string,
})

const message = (resources: string, scopes: string, items: string, item: object) =>
  object(
    {
      [resources]: list(
        object({
          resource,
          [scopes]: list(object({ scope, [items]: list(item), schemaUrl: string })),
          schemaUrl: string,
        }),
      ),
    },
    [resources],
  )

export const TRACES_DATA = message('resourceSpans', 'scopeSpans', 'spans', span)
export const LOGS_DATA = message('resourceLogs', 'scopeLogs', 'logRecords', logRecord)
