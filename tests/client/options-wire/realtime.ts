// Options of the socket on the wire: its address, its frames, and when it opens, beats and closes.
import { expect, onTestFinished, vi } from 'vitest'
import type { RealtimeOptions } from '../../../src/services/client/options.ts'
import { type Answer, type Frame, type FrameFormat, fakeSockets } from '../../harness/fake-socket.ts'
import { clients, join, joinedByBoth, type OptionPath, type OptionTests } from '../../harness/option-wire.ts'

const parametersOf = ({ address }: { readonly address: string }) =>
  Object.fromEntries(new URL(address).searchParams)

const isBeat = ([, , topic, event]: Frame) => topic === 'phoenix' && event === 'heartbeat'

interface Message {
  readonly join_ref?: string | null
  readonly ref: string | null
  readonly topic: string
  readonly event: string
  readonly payload: unknown
}

/** Protocol 1.0.0: a frame is an object. */
const OBJECTS: FrameFormat = {
  read: data => {
    const { join_ref = null, ref, topic, event, payload } = JSON.parse(data) as Message
    return [join_ref, ref, topic, event, payload]
  },
  write: ([join_ref, ref, topic, event, payload]) => JSON.stringify({ join_ref, ref, topic, event, payload }),
}

/** An app's own format: arrays in base64. */
const BASE64: FrameFormat = {
  read: data => JSON.parse(atob(data)) as Frame,
  write: frame => btoa(JSON.stringify(frame)),
}

const encode: NonNullable<RealtimeOptions['encode']> = (message, done) => {
  const { join_ref = null, ref = null, topic, event, payload } = message
  done(BASE64.write([join_ref, ref, topic, event, payload]))
}

const decode: NonNullable<RealtimeOptions['decode']> = (data, done) => {
  const [join_ref, ref, topic, event, payload] = BASE64.read(typeof data === 'string' ? data : '')
  done({ join_ref, ref, topic, event, payload })
}

/** Nothing is answered. */
const silent: Answer = () => undefined

export const realtimeOptions = {
  'realtime.transport': {
    'opens the socket': async () => {
      const { sockets, statuses } = await joinedByBoth({})
      expect(statuses).toEqual(['SUBSCRIBED', 'SUBSCRIBED'])
      expect(parametersOf(sockets.ours)).toEqual(parametersOf(sockets.official))
    },
  },
  'realtime.params': {
    'are in the address of the socket': async () => {
      const { sockets } = await joinedByBoth({ params: { eventsPerSecond: 5 } })
      expect(parametersOf(sockets.ours)).toEqual(parametersOf(sockets.official))
      expect(parametersOf(sockets.ours)).toMatchObject({ eventsPerSecond: '5' })
    },
  },
  'realtime.logLevel': {
    'is in the address of the socket': async () => {
      const { sockets } = await joinedByBoth({ logLevel: 'info' })
      expect(parametersOf(sockets.ours)).toEqual(parametersOf(sockets.official))
      expect(parametersOf(sockets.ours)).toMatchObject({ log_level: 'info' })
    },
  },
  'realtime.headers': {
    'have no effect: a socket has no headers': async () => {
      const { sockets } = await joinedByBoth({ headers: { 'x-tenant': '42' } })
      expect(parametersOf(sockets.ours)).toEqual(parametersOf(sockets.official))
      expect(JSON.stringify([sockets.ours.address, sockets.ours.sent])).not.toContain('x-tenant')
    },
  },
  'realtime.vsn': {
    '1.0.0 sends objects, and is in the address': async () => {
      const { sockets, statuses } = await joinedByBoth({ vsn: '1.0.0' }, { format: OBJECTS })
      expect(statuses).toEqual(['SUBSCRIBED', 'SUBSCRIBED'])
      expect(parametersOf(sockets.ours)).toEqual(parametersOf(sockets.official))
      expect(parametersOf(sockets.ours)).toMatchObject({ vsn: '1.0.0' })
      expect(joinsOf(sockets.ours.sent)).toEqual(joinsOf(sockets.official.sent))
    },
  },
  'realtime.encode': {
    'writes the frames': async () => {
      const { sockets, statuses } = await joinedByBoth({ encode, decode }, { format: BASE64 })
      expect(statuses).toEqual(['SUBSCRIBED', 'SUBSCRIBED'])
      expect(joinsOf(sockets.ours.sent)).toEqual(joinsOf(sockets.official.sent))
    },
  },
  'realtime.decode': {
    'reads the frames': async () => {
      const { sockets, official, ours } = await joinedByBoth({ encode, decode }, { format: BASE64 })
      const heard: unknown[][] = []
      for (const [supabase, socket] of [
        [official, sockets.official],
        [ours, sockets.ours],
      ] as const) {
        const messages: unknown[] = []
        heard.push(messages)
        supabase.channel('deck').on('broadcast', { event: 'bell' }, message => void messages.push(message))
        const payload = { type: 'broadcast', event: 'bell', payload: { rings: 2 } }
        socket.deliver([null, null, 'realtime:deck', 'broadcast', payload])
        await vi.waitFor(() => expect(messages).toHaveLength(1))
      }
      expect(heard[1]).toEqual(heard[0])
    },
  },
  'realtime.logger': {
    'is called for what is sent and received, when the socket opens, and instead of console.warn':
      async () => {
        const entries: string[] = []
        const logger = (kind: string, message: string) =>
          void entries.push(`${kind} ${message.replaceAll(/\(\d+, \d+\)/g, '(REFS)')}`)
        const { WebSocket } = fakeSockets()
        const { official, ours } = clients({
          realtime: { transport: WebSocket, logger },
          global: { fetch: () => Promise.resolve(Response.json({})) },
        })
        const logged: string[][] = []
        for (const supabase of [official, ours]) {
          await supabase.channel('deck').send({ type: 'broadcast', event: 'bell', payload: {} })
          await join(supabase)
          await supabase.removeAllChannels()
          // When the socket opens and closes is up to the machines.
          logged.push(
            entries
              .splice(0)
              .filter(entry => !/disconnect/.test(entry))
              .toSorted(),
          )
        }
        expect(logged[1]).toEqual(logged[0])
        expect(logged[1]).toContain('push realtime:deck phx_join (REFS)')
      },
  },
  'realtime.timeout': {
    'a join without a response times out after it': async () => {
      const { statuses, official, ours } = await joinedByBoth({ timeout: 50 }, { answer: silent })
      expect(statuses).toEqual(['TIMED_OUT', 'TIMED_OUT'])
      expect([official.realtime.timeout, ours.realtime.timeout]).toEqual([50, 50])
    },
  },
  'realtime.heartbeatIntervalMs': {
    'is the time between two heartbeats': async () => {
      const { sockets } = await joinedByBoth({ heartbeatIntervalMs: 20 })
      for (const socket of [sockets.official, sockets.ours])
        await vi.waitFor(() => expect(socket.sent.filter(isBeat).length).toBeGreaterThan(2))
      const [ours, official] = [sockets.ours, sockets.official].map(({ sent }) => sent.find(isBeat)?.at(-1))
      expect(ours).toEqual(official)
    },
  },
  'realtime.disconnectOnEmptyChannelsAfterMs': {
    'the socket closes that long after the last channel was removed': async () => {
      for (const [wait, left] of [
        [0, 0],
        [60_000, 2],
      ] as const) {
        const { official, ours, open } = await joinedByBoth({ disconnectOnEmptyChannelsAfterMs: wait })
        for (const supabase of [official, ours])
          expect(await supabase.removeChannel(supabase.channel('deck'))).toBe('ok')
        await vi.waitFor(() => expect(open.size).toBe(left))
      }
    },
  },
  'realtime.worker': {
    'is not needed: heartbeats are sent with it': async () => {
      vi.stubGlobal('Worker', FakeWorker)
      onTestFinished(() => void vi.unstubAllGlobals())
      const { sockets } = await joinedByBoth({ worker: true, heartbeatIntervalMs: 20 })
      for (const socket of [sockets.official, sockets.ours])
        await vi.waitFor(() => expect(socket.sent.filter(isBeat).length).toBeGreaterThan(1))
    },
  },
} satisfies Partial<Record<OptionPath, OptionTests>>

/** The joins among frames, without references. */
const joinsOf = (sent: readonly Frame[]) =>
  sent.filter(([, , , event]) => event === 'phx_join').map(([, , ...rest]) => rest)

/** A worker with the script of supabase-js, which posts a message at an interval. */
class FakeWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  constructor() {
    // The official client leaves its worker running.
    onTestFinished(() => this.terminate())
  }
  postMessage({ interval }: { readonly interval: number }) {
    clearInterval(this.#timer)
    this.#timer = setInterval(() => this.onmessage?.({ data: { event: 'keepAlive' } }), interval)
  }
  terminate() {
    clearInterval(this.#timer)
  }
}
