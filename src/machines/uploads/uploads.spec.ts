import { specify } from '../specify.ts'
import { shared, renew } from '../samples.ts'
import { DEFAULT_TIMINGS as timings } from '../timings.ts'
import { uploadsMachine } from './uploads.ts'
import { uploadSpec } from './upload.spec.ts'

export const uploadsSpec = specify(uploadsMachine, {
  about: 'The list of uploads: runs a few at a time and records how each ended.',
  children: { upload: { spec: uploadSpec } },
  events: {
    ...shared('environment.changed', 'upload.command', 'uploads.add', 'uploads.clear'),
    'upload.ended': (['done', 'failed', 'skipped', 'canceled'] as const).map(kind => ({
      id: '1',
      outcome: { kind, path: 'chart.png', sent: 0, attempts: 1 },
    })),
    'upload.phaseChanged': (['needsInput', 'ready'] as const).map(phase => ({
      id: '1',
      phase,
    })),
  },
  inputs: [{ timings, seed: 1 }],
  situation: ({ rows, online }) => [Object.values(rows).map(({ phase }) => phase), online],
  renew,
  rests: () => true,
})
