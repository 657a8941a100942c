// Small states of the workbench: connections, uploads, health, the token's bar.
import { describe, expect, test } from 'vitest'
import type { ClientStatus, TokenStatus } from '../../src/public/index.ts'
import {
  connectionsReducer,
  NO_CONNECTIONS,
  type Connection,
} from '../../src/services/workbench/hosts/connections.ts'
import { parseEmbedded } from '../../src/services/workbench/hosts/deployment.ts'
import { crumbs, joinPath, safeName, toEntries } from '../../src/services/workbench/files/index.ts'
import { formatSpan, formatClock, formatRefresh } from '../../src/services/workbench/text/index.ts'
import { describeNext, describeTrouble } from '../../src/ui/app/shell/describe-trouble.ts'
import { connectionHealth } from '../../src/ui/app/shell/health.ts'
import { backendTrouble } from '../../src/services/workbench/hosts/backend-status.ts'
import { backendHealthMachine } from '../../src/machines/workbench/backend-health.ts'
import { createActor, fromCallback } from 'xstate'

const connection = (url: string, embedded = false): Connection => ({
  id: url,
  name: url,
  url,
  key: 'k',
  embedded,
})

describe('connections', () => {
  const [a, b] = [connection('http://a:1'), connection('http://b:1')]
  const both = { active: a.id, list: [a, b] }

  test('using, selecting, removing and leaving', () => {
    expect(connectionsReducer(NO_CONNECTIONS, { type: 'connection.used', connection: a })).toEqual({
      active: a.id,
      list: [a],
    })
    expect(connectionsReducer(both, { type: 'connection.chosen', id: b.id })).toEqual({
      ...both,
      active: b.id,
    })
    expect(connectionsReducer(both, { type: 'connection.chosen', id: 'unknown' })).toBe(both)
    expect(connectionsReducer(both, { type: 'connection.forgotten', id: a.id })).toEqual({
      active: null,
      list: [b],
    })
    expect(connectionsReducer(both, { type: 'connection.left' })).toEqual({ active: null, list: [a, b] })
  })

  test('an embedded backend that moved replaces its old address and stays in use', () => {
    const [old, now] = [connection('http://e:1', true), connection('http://e:2', true)]
    const next = connectionsReducer(
      { active: old.id, list: [old, a] },
      { type: 'embedded.found', connection: now },
    )
    expect(next).toEqual({ active: now.id, list: [now, a] })
  })

  test('an embedded backend does not replace the connection in use', () => {
    const found = connection('http://e:1', true)
    const next = connectionsReducer(
      { active: a.id, list: [a] },
      { type: 'embedded.found', connection: found },
    )
    expect(next).toEqual({ active: a.id, list: [found, a] })
  })

  test('an invalid description is not an embedded backend', () => {
    expect(parseEmbedded(undefined)).toBe(undefined)
    expect(parseEmbedded({ name: 'x' })).toBe(undefined)
    expect(parseEmbedded({ name: 'x', url: 'u', key: 'k' })).toEqual({
      name: 'x',
      url: 'u',
      key: 'k',
      accounts: [],
    })
  })
})

describe('files', () => {
  test('folders first, then names; the placeholder of an empty folder is left out', () => {
    const file = {
      id: 'x',
      updated_at: '2026-03-01T10:00:00Z',
      metadata: { size: 12, mimetype: 'text/plain' },
    }
    const objects = [
      { ...file, name: 'b.txt' },
      { name: 'z', id: null },
      { ...file, name: '.emptyFolderPlaceholder' },
    ]
    expect(toEntries(objects)).toEqual([
      { name: 'z', isFolder: true, size: undefined, type: undefined, changedAt: undefined },
      { name: 'b.txt', isFolder: false, size: 12, type: 'text/plain', changedAt: '2026-03-01T10:00:00Z' },
    ])
  })

  test('paths and names', () => {
    expect([joinPath('', 'a'), joinPath('x/y', 'a')]).toEqual(['a', 'x/y/a'])
    expect(crumbs('x/y')).toEqual([
      { name: 'x', path: 'x' },
      { name: 'y', path: 'x/y' },
    ])
    expect(safeName('Größe 1/2 #3.png')).toBe('Gro-e 1-2 -3.png')
    expect(['报告.pdf', '图片', 'قارب #1 ⛵?.json', '.env', '...'].map(safeName)).toEqual([
      'file.pdf',
      'file',
      '- -1 -?.json',
      '.env',
      '...',
    ])
  })
})

describe('health', () => {
  const life = { receivedAt: 0, expiresAt: 300_000, refreshAt: 210_000 }
  const token: TokenStatus = { state: 'fresh', ...life, skew: 0, breaker: 'closed', role: 'leader' }
  const signedIn = {
    phase: 'authenticated',
    user: { id: 'u' },
    userFreshness: 'verified',
    aal: 'aal1',
    assurance: { level: 'aal1', next: 'aal1' },
    recovery: 'none',
  } as const
  const status: ClientStatus = {
    session: { ...signedIn, token },
    key: { state: 'accepted', refusedBy: [], isChecking: false },
    connection: { phase: 'open', attempt: 0 },
    network: 'online',
    requests: { queued: 0, waiting: 0, sending: 0, receiving: 0 },
    channels: {},
  }

  const health = createActor(
    backendHealthMachine.provide({ actors: { checkBackend: fromCallback(() => undefined) } }),
  ).start()
  const responding = health.getSnapshot()
  health.send({ type: 'backend.silent', at: 1_000 })
  health.send({ type: 'check.failed', at: 3_500 })
  const silent = health.getSnapshot()
  const idle: ClientStatus = { ...status, connection: { phase: 'idle', attempt: 0 } }
  const offline: ClientStatus = { ...idle, network: 'offline' }
  const faultOf = (one: ClientStatus, snapshot = responding) => backendTrouble(snapshot, one)?.fault
  const chip = (one: ClientStatus, snapshot = responding) => {
    const trouble = backendTrouble(snapshot, one)
    return connectionHealth(one, trouble && { ...trouble, since: 0 })
  }

  test('the chip: open is connected; no network and no response are shown whatever the socket state', () => {
    expect([chip(status).label, chip(status).tone]).toEqual(['connected', 'ok'])
    expect(chip({ ...status, network: 'offline' }).label).toBe('offline')
    // An open socket proves nothing while requests get no response.
    expect(chip(status, silent)).toMatchObject({ label: 'unreachable', tone: 'fail' })
    expect(
      chip({ ...status, connection: { phase: 'reconnecting', attempt: 1, reason: 'closed with 1006' } })
        .detail,
    ).toBe(
      'The socket was lost and is reconnecting. Attempt 1. Reason: the connection to the backend was lost.',
    )
  })

  test('the banner: hidden, interrupted live updates, expired token, unreachable backend, offline', () => {
    const lost: ClientStatus = { ...status, connection: { phase: 'reconnecting', attempt: 2 } }
    const expired: ClientStatus = {
      ...status,
      session: {
        ...signedIn,
        token: { ...token, state: 'expired' },
      },
    }
    expect([status, lost, expired].map(one => faultOf(one))).toEqual([undefined, 'liveLost', 'tokenExpired'])
    expect([status, lost, expired].map(one => faultOf(one, silent))).toEqual(
      Array.from({ length: 3 }, () => 'unreachable'),
    )
    expect(faultOf({ ...expired, network: 'offline' }, silent)).toBe('offline')
  })

  test('the banner: a backend that rejects a refresh is not unreachable', () => {
    const delayed = (kind: 'network' | 'rateLimit'): ClientStatus => ({
      ...status,
      session: {
        ...signedIn,
        token: { ...token, state: 'delayed', retryAt: 9_000, failure: { kind, message: 'x' } },
      },
    })
    expect(backendTrouble(responding, delayed('rateLimit'))).toMatchObject({
      fault: 'renewalDelayed',
      nextAt: 9_000,
    })
    // A refresh that got no response from a backend that responds now is retried when it does.
    expect(faultOf(delayed('network'))).toBe(undefined)
    expect(faultOf(delayed('network'), silent)).toBe('unreachable')
  })

  test('the chip and the banner agree on an unreachable backend, with and without an open socket', () => {
    expect([chip(idle), chip(idle, silent), chip(status, silent)].map(one => [one.label, one.tone])).toEqual([
      ['off', 'stale'],
      ['unreachable', 'fail'],
      ['unreachable', 'fail'],
    ])
    expect([status, offline].map(one => chip(one).label)).toEqual(['connected', 'offline'])
    const trouble = backendTrouble(silent, status)
    expect(trouble).toEqual({
      fault: 'unreachable',
      since: 1_000,
      nextAt: 7_500,
      isChecking: false,
      status: undefined,
    })
    const known = {
      fault: 'unreachable',
      since: 1_000,
      nextAt: 7_500,
      isChecking: false,
      status: undefined,
    } as const
    expect(describeTrouble(known, 'harbour').summary).toMatch(
      /^Can’t reach harbour\. No response since \d\d?:\d\d:\d\d\s[AP]M\.$/,
    )
    expect([3_500, 7_200, 8_000].map(now => describeNext(known, now))).toEqual([
      'Next attempt in 4 s.',
      'Retrying…',
      'Retrying…',
    ])
    expect(describeNext({ ...known, nextAt: 303_500 }, 3_500)).toBe('Next attempt in 5:00.')
  })
})

describe('the token as text', () => {
  const token: TokenStatus = {
    state: 'fresh',
    receivedAt: 0,
    expiresAt: 300_000,
    refreshAt: 210_000,
    skew: 0,
    breaker: 'closed',
    role: 'leader',
  }

  test.each<[Partial<TokenStatus>, string]>([
    [{}, 'by this tab, for all tabs'],
    [{ role: 'alone' }, 'by this tab'],
    [{ role: 'follower', paused: 'follower' }, 'by another tab'],
    [{ paused: 'offline' }, 'paused: offline'],
    [{ paused: 'hidden' }, 'paused: this page is hidden'],
    [{ retryAt: 107_000 }, 'by this tab, retry in 0:07'],
    [{ breaker: 'open', paused: 'follower' }, 'paused for a minute: refreshed too often'],
  ])('%o: %s', (part, text) => {
    expect(formatRefresh({ ...token, ...part }, 100_000)).toBe(text)
  })

  test.each([
    [0, 'in sync with the backend'],
    [-2_900, 'in sync with the backend'],
    [42_000, '42 s behind the backend (corrected)'],
    [-125_000, '2:05 ahead of the backend (corrected)'],
  ])('a clock that is off by %i ms %s', (skew, text) => {
    expect(formatClock({ ...token, skew })).toBe(text)
  })
})

test('durations', () => {
  expect([0, 59_400, 134_000, 3_725_000].map(formatSpan)).toEqual(['0:00', '0:59', '2:14', '1:02:05'])
})
