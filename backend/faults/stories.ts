// Predefined stories: typical problems of an app, each made of a few faults.
import type { Fault, StoryName } from './plan.ts'

const EVERYWHERE = ['auth', 'rest', 'storage', 'functions', 'realtime'] as const

const STORIES: Readonly<Record<StoryName, readonly Fault[]>> = {
  /** Nothing is reachable, including preflights, and sockets are cut. */
  offline: [
    { id: 'offline.requests', when: { family: [...EVERYWHERE] }, do: { lost: 'request' } },
    { id: 'offline.preflights', when: { method: 'OPTIONS' }, do: { lost: 'request' } },
    { id: 'offline.upgrades', when: { event: 'upgrade' }, do: { lost: 'request' } },
    { id: 'offline.sockets', when: { event: 'open' }, do: { close: 'abrupt' } },
  ],
  /** Everything returns 503 with Retry-After, and sockets are closed. */
  maintenance: [
    {
      id: 'maintenance.requests',
      do: { status: 503, message: 'The backend is under maintenance', retryAfter: 5 },
    },
    { id: 'maintenance.upgrades', when: { event: 'upgrade' }, do: { status: 503, retryAfter: 5 } },
    {
      id: 'maintenance.sockets',
      when: { event: 'open' },
      do: { close: { code: 1012, reason: 'maintenance' } },
    },
  ],
  /** A squall: sockets break, three reconnects fail, and requests are slow or lost. */
  squall: [
    { id: 'squall.sockets', when: { event: 'open', to: 3 }, do: { close: 'abrupt' } },
    { id: 'squall.upgrades', when: { event: 'upgrade', to: 3 }, do: { lost: 'request' } },
    { id: 'squall.losses', when: { probability: 0.3 }, do: { lost: 'request' }, times: 10 },
    { id: 'squall.delays', do: { delay: 200, jitter: 800 }, times: 30 },
  ],
  /** The tide: the signed-in user's token expires, at the next request and on the socket. */
  tide: [
    {
      id: 'tide.requests',
      when: { family: ['rest', 'storage', 'functions'] },
      do: { token: 'expired' },
      times: 1,
    },
    {
      id: 'tide.joins',
      when: { event: 'frame.in', phoenix: 'phx_join' },
      do: { token: 'expired' },
      times: 1,
    },
  ],
}

/** The faults of a story; each id starts with the story's name and a dot. */
export function faultsOf(story: StoryName): readonly Fault[] {
  return STORIES[story]
}
