// Any frame is either parsed or rejected with a frame error, and what is written can be parsed again.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBinary } from '../../backend/realtime/binary-frames.ts'
import { decodeText, encodeBroadcast, encodeText } from '../../backend/realtime/protocol.ts'
import { checkName } from '../../backend/storage/rules.ts'
import { anyText } from '../harness/any-text.ts'

const version = fc.constantFrom('1.0.0' as const, '2.0.0' as const)
const name = anyText({ maxLength: 40 }).filter(text => text !== '' && text.isWellFormed())

/** The name of the thrown error, or that parsing succeeded. */
function outcome(read: () => unknown): string {
  try {
    read()
    return 'read'
  } catch (error) {
    return error instanceof Error ? error.name : 'something else'
  }
}

test('text is parsed or rejected as a frame', () => {
  const text = fc.oneof(anyText(), fc.json(), fc.json({ maxDepth: 1 }))
  const seen = new Set<string>()
  fc.assert(fc.property(version, text, (vsn, frame) => void seen.add(outcome(() => decodeText(vsn, frame)))))
  expect([...seen].filter(one => one !== 'read')).toEqual(['FrameError'])
})

test('bytes are parsed or rejected as a frame, also when they claim more than they contain', () => {
  const claimed = fc
    .tuple(fc.array(fc.nat(255), { minLength: 6, maxLength: 6 }), fc.uint8Array({ maxLength: 64 }))
    .map(([sizes, rest]) => Uint8Array.from([3, ...sizes, ...rest]))
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), claimed), bytes => {
      seen.add(outcome(() => decodeBinary(bytes)))
    }),
  )
  expect([...seen].filter(one => one !== 'read' && one !== 'FrameError')).toEqual([])
  expect(seen).toContain('FrameError')
})

test('a text frame round-trips', () => {
  const ref = fc.option(name)
  fc.assert(
    fc.property(version, ref, ref, name, name, fc.jsonValue(), (vsn, joinRef, own, topic, event, value) => {
      // JSON has no negative zero.
      const payload: unknown = JSON.parse(JSON.stringify(value))
      const frame = { joinRef, ref: own, topic, event, payload }
      // The first version does not write the join reference.
      const kept = vsn === '1.0.0' ? { ...frame, joinRef: null } : frame
      expect(decodeText(vsn, encodeText(vsn, frame))).toEqual(kept)
    }),
  )
})

test('a broadcast stores the byte lengths of its topic and event', () => {
  fc.assert(
    fc.property(name, name, fc.uint8Array({ maxLength: 64 }), (topic, event, payload) => {
      const written = Buffer.from(encodeBroadcast('2.0.0', topic, { event, payload }) ?? '')
      const [kind, topicSize = 0, eventSize = 0] = written
      const eventAt = 5 + topicSize
      expect({
        kind,
        topic: written.subarray(5, eventAt).toString(),
        event: written.subarray(eventAt, eventAt + eventSize).toString(),
        payload: [...written.subarray(eventAt + eventSize)],
      }).toEqual({ kind: 4, topic, event, payload: [...payload] })
    }),
  )
})

test('a storage name that is accepted stays inside its folder, whatever its separators', () => {
  const segment = fc.oneof(
    fc.constantFrom('..', '.', '', '%2e%2e', '\\', '..\\x', 'C:', '\0', 'a', '__proto__', '\ud800', '\n'),
    anyText({ maxLength: 8 }),
  )
  const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map(parts => parts.join('/'))
  const outcomes = new Set<string>()
  fc.assert(
    fc.property(path, text => {
      const result = outcome(() => checkName(text))
      outcomes.add(result)
      const kept = result === 'read' ? text : 'refused'
      expect(kept.split(/[/\\]/).filter(part => ['.', '..'].includes(part))).toEqual([])
      expect([/\p{Cc}/u.test(kept), kept.isWellFormed()]).toEqual([false, true])
    }),
  )
  expect([...outcomes].toSorted()).toEqual(['StorageFailure', 'read'])
})
