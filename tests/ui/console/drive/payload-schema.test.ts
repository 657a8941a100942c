// Event forms from schemas: fields with their types, the resulting payload, and its errors.
import { describe, expect, it, test } from 'vitest'
import { createMachine, setup } from 'xstate'
import { attach } from '../../../../src/services/control/index.ts'
import { sessionMachine } from '../../../../src/machines/index.ts'
import { machineChart } from '../../../../src/services/runtime/index.ts'
import { record } from '../../../../src/services/recording/index.ts'
import { branch, deriveSteps } from '../../../../src/services/replay/index.ts'
import type { EventSchemas, PayloadSchema } from '../../../../src/trace/index.ts'
import { type PayloadField, payloadOf, schemaFields } from '../../../../src/ui/console/drive/payload.ts'
import known from '../../../../src/ui/console/drive/event-schemas.json'

const voyage: PayloadSchema = {
  type: 'object',
  properties: {
    to: { type: 'string', description: 'A harbour' },
    hands: { type: 'integer' },
    rig: { enum: ['ketch', 'cutter', 7] },
    isNight: { type: 'boolean' },
    leaves: { type: 'string', format: 'date-time' },
    berth: {
      type: 'object',
      properties: { quay: { type: 'string' }, depth: { type: 'number' } },
      required: ['quay'],
    },
    stops: { type: 'array', items: { type: 'string' } },
  },
  required: ['to', 'hands', 'rig', 'stops'],
}

describe('fields', () => {
  it('follow the schema, including nested objects, filled in from the example', () => {
    const fields = schemaFields(voyage, { to: 'Fowey', hands: 4, berth: { quay: 'North' } })
    expect(fields.map(({ key, type, isOptional, example }) => [key, type, isOptional, example])).toEqual([
      ['to', 'text', false, 'Fowey'],
      ['hands', 'number', false, '4'],
      ['rig', 'choice', false, 'ketch'],
      ['isNight', 'choice', true, ''],
      ['leaves', 'text', true, ''],
      ['berth.quay', 'text', false, 'North'],
      ['berth.depth', 'number', true, ''],
      ['stops', 'json', false, '[]'],
    ])
    expect(fields[0]?.description).toBe('A harbour')
    expect(fields[3]?.options).toEqual(['', 'true', 'false'])
  })

  it('of several variants are those of all, required where each requires them', () => {
    const shape = (key: string): PayloadSchema => ({
      type: 'object',
      properties: { at: { type: 'number' }, [key]: { type: 'string' } },
      required: ['at', key],
    })
    const fields = schemaFields({ anyOf: [shape('a'), shape('b')] }, undefined)
    expect(fields.map(({ key, isOptional }) => [key, isOptional])).toEqual([
      ['at', false],
      ['b', true],
      ['a', true],
    ])
  })
})

describe('a payload', () => {
  const fields = schemaFields(voyage, undefined)
  const made = (texts: Readonly<Record<string, string>>) =>
    payloadOf(fields, ({ key, example }: PayloadField) => texts[key] ?? example)

  it('omits what is empty and optional, with everything required within it', () => {
    expect(made({ to: 'Fowey', hands: '4' })).toEqual({
      payload: { to: 'Fowey', hands: 4, rig: 'ketch', stops: [] },
    })
  })

  it('has values of the right type in their place', () => {
    const texts = { to: '', hands: '0', rig: '7', isNight: 'false', 'berth.quay': 'N', 'berth.depth': '2.5' }
    expect(made({ ...texts, leaves: '2026-11-21T14:02:00Z', stops: '["Looe"]' })).toEqual({
      payload: {
        to: '',
        hands: 0,
        rig: 7,
        isNight: false,
        leaves: '2026-11-21T14:02:00Z',
        berth: { quay: 'N', depth: 2.5 },
        stops: ['Looe'],
      },
    })
  })

  test.each([
    [{ hands: 'many' }, { hands: 'Enter a number' }],
    [{ hands: '1.5' }, { hands: 'Enter a whole number' }],
    [{ hands: '1', leaves: 'soon' }, { leaves: 'Enter a time, e.g. 2026-11-21T14:02:00Z' }],
    [{ hands: '1', 'berth.depth': 'deep' }, { 'berth.depth': 'Enter a number' }],
    [{ hands: '1', rig: 'raft' }, { rig: 'Choose an option' }],
  ])('of %j is none: %j', (texts, errors) => {
    expect(made(texts)).toEqual({ errors })
  })
})

describe('schemas', () => {
  it("of the client's events are found by the machine and its hash", () => {
    const { id, hash } = machineChart(sessionMachine)
    const session = (known as Readonly<Record<string, EventSchemas>>)[`${id}:${hash}`]
    expect(session?.['session.signOut']).toEqual({
      type: 'object',
      properties: { attempt: { type: 'string' }, scope: { enum: ['global', 'local', 'others'] } },
      required: ['attempt', 'scope'],
    })
  })

  it('that a machine provides come with its chart, as JSON Schema or from a Standard Schema', () => {
    const open = {
      type: 'object',
      properties: { type: { const: 'open' }, by: { type: 'string' } },
      required: ['type', 'by'],
    }
    const shut = {
      '~standard': { version: 1, jsonSchema: { input: () => ({ type: 'object', properties: {} }) } },
    }
    const broken = {
      '~standard': {
        jsonSchema: {
          input: () => {
            throw new Error('no')
          },
        },
      },
    }
    const machine = setup({ schemas: { events: { open, shut, broken, odd: 'text' } } }).createMachine({
      id: 'gate',
    })
    expect(machineChart(machine).events).toEqual({
      open: { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] },
      shut: { type: 'object', properties: {} },
    })
    expect(machineChart(createMachine({ id: 'plain' })).events).toBeUndefined()
  })
})

describe('schemas passed with a system', () => {
  const bolt = createMachine({ id: 'bolt', on: { slide: {} } })
  const gate = setup({
    actors: { bolt },
    schemas: { events: { shut: { type: 'object', properties: {} } } },
  }).createMachine({ id: 'gate', invoke: { id: 'bolt', src: 'bolt' }, on: { open: {}, shut: {} } })
  const by: PayloadSchema = { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] }
  const schema = { '~standard': { version: 1, vendor: 'test', jsonSchema: { input: () => by } } }
  const schemas = { gate: { open: by }, bolt: { slide: schema } }

  it('come with the recording in addition to those of the machines, for children too', () => {
    const { trace } = attach(gate, { schemas }).recording
    const shut = { type: 'object', properties: {} }
    expect(trace.header.machines['gate']?.events).toEqual({ shut, open: by })
    expect(trace.header.machines['bolt']?.events).toEqual({ slide: by })
    expect(trace.header.machines['gate']?.hash).toBe(machineChart(gate).hash)
  })

  it('are there when the steps are derived, and in a sandbox that continues from it', () => {
    const recording = record(gate, { schemas, steps: false })
    recording.start()
    recording.actor.send({ type: 'open', by: 'me' })
    const { trace } = recording
    const derived = deriveSteps(trace, { gate })
    if (derived.kind !== 'trace') throw new Error('it could not be derived')
    const sandbox = branch(trace, { gate }).recording
    for (const { header } of [derived.trace, sandbox.trace])
      expect(header.machines['bolt']?.events).toEqual({ slide: by })
    for (const { stop } of [recording, sandbox]) stop()
  })

  it.each([
    [{ gat: { open: by } }, 'schemas: no machine “gat” in this system. Known machines: “gate”, “bolt”.'],
    [
      { gate: { open: { rows: 1 } } },
      /^schemas: the schema of “open” of “gate” cannot be exported\. Pass a JSON Schema/,
    ],
    [
      { gate: { open: { type: 'object', description: 'x'.repeat(100_000) } } },
      /^schemas: the schemas of “gate” have \d+ characters of JSON; the maximum is 100000\.$/,
    ],
  ])('are rejected by name if they can’t be used: %#', (wrong, message) => {
    expect(() => record(gate, { schemas: wrong })).toThrow(message)
  })
})
