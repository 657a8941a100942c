// How uploads end and wait.
import type { Failure } from '../../../../src/machines/failure.ts'
import type { UploadInfo } from '../../../../src/machines/uploads/upload-info.ts'
import { environmentScript, stored, unreachable, type World } from '../../../harness/timeline.ts'
import { both, client, sends, uploadU, wait, type ExpectedAnswer, type Situation } from './situation.ts'

const live = stored(3_000)

const file: UploadInfo = {
  id: 'u',
  bucket: 'charts',
  path: 'tide.png',
  bytes: 300_000,
  mime: 'image/png',
  limits: {},
  onConflict: 'ask',
  reportsProgress: true,
}
const add = (fields: Partial<UploadInfo> = {}) =>
  sends({ type: 'uploads.add', uploads: [{ ...file, ...fields }] })
const command = (type: 'upload.pause' | 'upload.resume' | 'upload.cancel' | 'upload.retry') =>
  sends({ type: 'upload.command', id: 'u', command: { type } })
const transfer =
  (failure: Failure): World =>
  () => ({ transfer: () => [[20, { type: 'transfer.failed', failure }]] })
const endless: World = () => ({ transfer: () => [] })
const COMMAND = [{ kind: 'command', event: 'upload.command' }] as const

const failed = (
  name: string,
  failure: Failure,
  mentions: readonly string[],
  evidence: ExpectedAnswer['evidence'],
) =>
  client(`an upload fails: ${name}`, [live, transfer(failure)], both(wait(10), add(), wait(1_000)), uploadU, {
    mentions: ['tide.png', ...mentions],
    reason: ['client/uploads/upload.u', 'transfer.failed'],
    ...(evidence && { evidence }),
  })

export const uploads: readonly Situation[] = [
  client(
    'an upload too large for its bucket',
    [live],
    both(wait(10), add({ limits: { bytes: 1_000 } }), wait(10)),
    uploadU,
    {
      mentions: ['tide.png', 'bucket', 'large'],
      reason: ['client', 'uploads.add'],
      evidence: [{ kind: 'failure', failure: 'validation', code: 'too_large' }],
    },
  ),
  client(
    'an upload of a type that the bucket refuses',
    [live],
    both(wait(10), add({ limits: { types: ['text/*'] } }), wait(10)),
    uploadU,
    {
      mentions: ['tide.png', 'type'],
      reason: ['client', 'uploads.add'],
      evidence: [{ kind: 'failure', failure: 'validation', code: 'wrong_type' }],
    },
  ),
  failed(
    'denied by a policy',
    { kind: 'forbidden', status: 403, message: 'x' },
    ['403', 'allow'],
    [{ kind: 'response', status: 403 }],
  ),
  failed(
    'expired',
    { kind: 'notFound', status: 410, code: 'upload_expired', message: 'x' },
    ['410'],
    [{ kind: 'response', status: 410, code: 'upload_expired' }],
  ),
  failed(
    'too large for the server',
    { kind: 'validation', status: 413, message: 'x' },
    ['413'],
    [{ kind: 'response', status: 413 }],
  ),
  client(
    'an upload is retried',
    [live, transfer({ kind: 'server', status: 503, message: 'x' })],
    both(wait(10), add(), wait(50)),
    uploadU,
    {
      mentions: ['tide.png', '503'],
      reason: ['client/uploads/upload.u', 'transfer.failed'],
      evidence: [{ kind: 'response', status: 503 }],
      next: 's',
    },
  ),
  client(
    'a file of this name exists',
    [live, () => ({ checkName: () => [[5, { type: 'name.taken', free: 'tide (2).png' }]] })],
    both(wait(10), add(), wait(50)),
    uploadU,
    {
      mentions: ['tide.png', 'name'],
      reason: ['client/uploads/upload.u', 'name.taken'],
      next: 'replace',
    },
  ),
  client(
    'an upload is paused',
    [live, endless],
    both(wait(10), add(), wait(50), command('upload.pause'), wait(10)),
    uploadU,
    {
      mentions: ['tide.png', 'paused'],
      reason: ['client', 'upload.command'],
      evidence: COMMAND,
    },
  ),
  client(
    'an upload is canceled',
    [live, endless],
    both(wait(10), add(), wait(50), command('upload.cancel'), wait(10)),
    uploadU,
    {
      mentions: ['tide.png', 'canceled'],
      reason: ['client', 'upload.command'],
      evidence: COMMAND,
    },
  ),
  client(
    'an upload waits for the network',
    [live, transfer(unreachable), environmentScript([30, { online: false }])],
    both(wait(15), add(), wait(100)),
    uploadU,
    {
      mentions: ['tide.png', 'offline'],
      reason: ['client', 'environment.changed', { online: false }],
      evidence: [
        { kind: 'device', change: 'offline' },
        { kind: 'failure', failure: 'network' },
      ],
      next: 'online',
    },
  ),
  client('an upload stalls', [live, endless], both(wait(10), add(), wait(11_000)), uploadU, {
    mentions: ['tide.png', '10 s', 'progress'],
    reason: ['client/uploads/upload.u', 'xstate.after.stallWarning.upload.sending.progressing'],
    evidence: [{ kind: 'timer', delay: 10_000 }],
  }),
  client('an upload that is done', [live], both(wait(10), add(), wait(1_000)), uploadU, {
    mentions: ['tide.png', 'uploaded'],
    reason: ['client/uploads/upload.u', 'transfer.done'],
  }),
]
