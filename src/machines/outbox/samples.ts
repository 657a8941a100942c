// Samples that the specifications of the outbox and of a collection's rows share.
import { invalid } from '../samples.ts'
import type { WriteInfo } from './outbox-info.ts'

const mine: WriteInfo = { id: 'w1', userId: 'skipper', table: 'vessels', kind: 'insert', phase: 'queued' }

export const writeSamples = {
  mine,
  other: { ...mine, id: 'w2', userId: 'mate' },
  asking: { ...mine, id: 'w3', kind: 'update', phase: 'asking' },
  refused: { ...mine, id: 'w4', phase: 'refused', failure: invalid },
  anybody: { ...mine, id: 'w5', userId: '' },
} as const satisfies Record<string, WriteInfo>

/** The signed-in user, and whether the device is online. */
export const clientSamples = {
  'client.changed': [
    { identity: 'skipper', online: true },
    { identity: 'skipper', online: false },
    { identity: 'mate', online: true },
    { identity: '', online: true },
    { online: true },
  ],
} as const
