// Random faults on one topic of a socket: another topic on it loses nothing and keeps its order.
import { once } from 'node:events'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Fault } from '../../../backend/faults/index.ts'
import { startOwnBackend } from '../../harness/backend.ts'

const backend = await startOwnBackend()
const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${backend.publishableKey}&vsn=2.0.0`
const join = { config: { broadcast: { self: false, ack: true }, presence: { key: '' }, private: false } }

async function open() {
  const socket = new WebSocket(address)
  const replies: string[] = []
  socket.on('message', (data: Buffer) => {
    try {
      const [, ref, topic, event] = JSON.parse(data.toString()) as (string | null)[]
      if (event === 'phx_reply') replies.push(`${topic} ${ref}`)
    } catch {
      // Frames that the fault damaged belong to no topic.
    }
  })
  await once(socket, 'open')
  const send = (topic: string, ref: string, event: string, payload: unknown) =>
    socket.send(JSON.stringify([topic, ref, `realtime:${topic}`, event, payload]))
  for (const topic of ['calm', 'rough']) send(topic, '0', 'phx_join', join)
  await vi.waitFor(() => expect(replies).toHaveLength(2))
  return {
    socket,
    replies,
    hail: (topic: string, ref: string) =>
      send(topic, ref, 'broadcast', { type: 'broadcast', event: 'hail', payload: {} }),
  }
}

const action = fc.oneof(
  fc.record({ delay: fc.nat(4), jitter: fc.nat(4) }),
  fc.constant({ drop: true } as const),
  fc.record({ duplicate: fc.integer({ min: 1, max: 3 }) }),
  fc.constant({ reorder: true } as const),
  fc.constant({ garble: true } as const),
  fc.record({ truncate: fc.nat(40) }),
)
const faults = fc.array(
  fc.record({
    event: fc.constantFrom('frame.in', 'frame.out'),
    probability: fc.constantFrom(0.3, 0.7, 1),
    action,
  }),
  { minLength: 1, maxLength: 4 },
)

test('whatever happens to a topic, the responses of its neighbor are complete and in order', async () => {
  const { socket, replies, hail } = await open()
  let ref = 0
  await fc.assert(
    fc.asyncProperty(faults, fc.integer(), async (rough, seed) => {
      backend.faults.replace({
        seed,
        faults: rough.map(({ event, probability, action: fault }): Fault => ({
          when: { event, topic: 'rough', probability },
          do: fault,
        })),
      })
      replies.length = 0
      const expected: string[] = []
      for (let n = 0; n < 4; n += 1) {
        hail('rough', String((ref += 1)))
        hail('calm', String((ref += 1)))
        expected.push(`realtime:calm ${ref}`)
      }
      const unchanged = () => replies.filter(reply => reply.startsWith('realtime:calm'))
      await vi.waitFor(() => expect(unchanged()).toEqual(expected))
    }),
    { numRuns: 25 },
  )
  backend.faults.clear()
  socket.close()
})

test('a waiter for a hit gets the next hit, and only of its fault', async () => {
  const { socket, hail } = await open()
  const [any, mine] = [backend.faults.nextHit(), backend.faults.nextHit('second')]
  for (const [id, nth] of [
    ['first', 1],
    ['second', 2],
  ] as const)
    backend.faults.add({ id, when: { event: 'frame.in', topic: 'calm', nth }, do: { drop: true } })
  for (const ref of ['1', '2']) hail('calm', ref)
  expect([(await any).fault, (await mine).ref]).toEqual(['first', '2'])
  backend.faults.clear()
  socket.close()
})
