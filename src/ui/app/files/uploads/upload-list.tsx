// The upload list: a summary line, and each upload while one needs attention.
import {
  ChevronDown,
  ChevronUp,
  Check,
  CircleSlash,
  Clock,
  Pause,
  Play,
  RotateCw,
  TriangleAlert,
  X,
} from 'lucide-react'
import { useMemo, useState, useRef } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import styles from './uploads.module.css'
import {
  inOrder,
  isOver,
  needsAttention,
  totalPercent,
  uploadSummary,
  nameOf,
  percentOf,
  phaseWords,
  safeName,
  type SpeedSamples,
  speedText,
} from '../../../../services/workbench/files/index.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { ConflictAnswer, UploadsApi, UploadStatus } from '../../../../services/client/index.ts'
import { useUploadSpeeds } from './use-uploads.ts'
import { whyActor } from '../../requests/questions.ts'
import { WhyButton } from '../../requests/why-button.tsx'
import { Spinner } from '../../../widgets/spinner.tsx'
import { BareProgress, type ProgressTone } from '../../../widgets/progress.tsx'

interface SpeedProps extends UploadListProps {
  readonly samples: SpeedSamples
}

function Head({
  list,
  uploads,
  samples,
  isOpen,
  onToggle,
}: SpeedProps & { isOpen: boolean; onToggle: () => void }) {
  const underWay = list.filter(upload => !isOver(upload))
  const speed = speedText(samples, underWay)
  return (
    <header className={styles.head}>
      <output>{uploadSummary(list)}</output>
      {underWay.length > 0 ? <span className={styles.total}>{totalPercent(list)} % of bytes</span> : null}
      {speed === undefined ? null : <span className={styles.total}>{speed}</span>}
      <span className={styles.headActions}>
        {underWay.length > 1 ? (
          <Button size="s" variant="quiet" onPress={() => underWay.forEach(({ id }) => uploads.cancel(id))}>
            Cancel all
          </Button>
        ) : null}
        {list.some(isOver) ? (
          <Button size="s" variant="quiet" onPress={uploads.clear}>
            Clear
          </Button>
        ) : null}
        <IconButton size="s" label={isOpen ? 'Collapse list' : 'Expand list'} onPress={onToggle}>
          {isOpen ? <ChevronUp size={14} /> : <ChevronDown size={14} />}
        </IconButton>
      </span>
    </header>
  )
}

function Rows({ list, uploads, samples }: SpeedProps) {
  const { ref, first, shown, before, after } = useSeenRows(list)
  return (
    <div ref={ref} className={styles.scroll}>
      <ul style={{ paddingTop: before, paddingBottom: after }} data-first={first}>
        {shown.map(upload => (
          <UploadRow key={upload.id} upload={upload} uploads={uploads} speed={speedText(samples, [upload])} />
        ))}
      </ul>
    </div>
  )
}

/** Renders nothing without uploads; collapsed when all succeeded, unless the user expands it. */
export function UploadList({ list, uploads }: UploadListProps) {
  const [wanted, setWanted] = useState<boolean>()
  const isOpen = wanted ?? needsAttention(list)
  const ordered = useMemo(() => inOrder(list), [list])
  const samples = useUploadSpeeds(list)
  if (list.length === 0) return null
  return (
    <section className={styles.uploads} aria-label="Uploads">
      <Head
        list={list}
        uploads={uploads}
        samples={samples}
        isOpen={isOpen}
        onToggle={() => setWanted(!isOpen)}
      />
      <AnswersForAll list={list} uploads={uploads} />
      {isOpen ? <Rows list={ordered} uploads={uploads} samples={samples} /> : null}
    </section>
  )
}

/** Shorter lists render completely. */
const FEW = 60
const ROW = 30

/** The part of `items` to render in the scroller with `ref`, and the space around it. */
function useSeenRows<T>(items: readonly T[]) {
  const ref = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => ref.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  if (items.length <= FEW) return { ref, first: 0, shown: items, before: 0, after: 0 }
  const rows = virtualizer.getVirtualItems()
  const [top, bottom] = [rows[0], rows.at(-1)]
  return {
    ref,
    first: top?.index ?? 0,
    shown: items.slice(top?.index ?? 0, (bottom?.index ?? -1) + 1),
    before: top?.start ?? 0,
    after: virtualizer.getTotalSize() - (bottom?.end ?? 0),
  }
}

function PhaseIcon({ phase }: Pick<UploadStatus, 'phase'>) {
  switch (phase) {
    case 'done':
      return <Check size={14} aria-hidden />
    case 'failed':
    case 'asking':
      return <TriangleAlert size={14} aria-hidden />
    case 'skipped':
    case 'canceled':
      return <CircleSlash size={14} aria-hidden />
    case 'paused':
      return <Pause size={14} aria-hidden />
    case 'sending':
    case 'checking':
      return <Spinner />
    case 'waiting':
    case 'retrying':
    case 'offline':
      return <Clock size={14} aria-hidden />
  }
}

interface UploadListProps {
  readonly list: readonly UploadStatus[]
  readonly uploads: UploadsApi
}

interface UploadRowProps {
  readonly upload: UploadStatus
  readonly uploads: UploadsApi
}

const ANSWERS: readonly (readonly [ConflictAnswer, string])[] = [
  ['replace', 'Replace'],
  ['keepBoth', 'Keep both'],
  ['skip', 'Skip'],
]

function Answers({ upload, uploads }: UploadRowProps) {
  const name = nameOf(upload.path)
  return (
    <span className={styles.answers} role="group" aria-label={`${name} already exists`}>
      {ANSWERS.map(([answer, title]) => (
        <Button key={answer} size="s" onPress={() => uploads.answer(upload.id, answer)}>
          {title}
        </Button>
      ))}
    </span>
  )
}

/** One answer for all uploads with the same question, including later ones. */
function AnswersForAll({ list, uploads }: UploadListProps) {
  const asking = list.filter(({ phase }) => phase === 'asking')
  const [first] = asking
  if (first === undefined || asking.length < 2) return null
  return (
    <div className={styles.forAll} role="group" aria-label="All existing files">
      {asking.length} already exist.
      <span className={styles.answers}>
        {ANSWERS.map(([answer, title]) => (
          <Button key={answer} size="s" onPress={() => uploads.answer(first.id, answer, true)}>
            {title} all
          </Button>
        ))}
      </span>
    </div>
  )
}

function Controls({ upload, uploads }: UploadRowProps) {
  const { id, phase, path, failure } = upload
  const name = nameOf(path)
  const safe = safeName(name)
  const canPause = !isOver(upload) && phase !== 'asking' && phase !== 'paused'
  const isNamed = failure?.code === 'invalid_name' && safe !== name
  return (
    <span className={styles.controls}>
      {isNamed ? (
        <Button size="s" onPress={() => uploads.retry(id, path.slice(0, -name.length) + safe)}>
          Upload as {safe}
        </Button>
      ) : null}
      {canPause ? (
        <IconButton size="s" noTooltip label={`Pause ${name}`} onPress={() => uploads.pause(id)}>
          <Pause size={14} />
        </IconButton>
      ) : null}
      {phase === 'paused' ? (
        <IconButton size="s" noTooltip label={`Resume ${name}`} onPress={() => uploads.resume(id)}>
          <Play size={14} />
        </IconButton>
      ) : null}
      {phase === 'failed' ? <WhyButton of={name} {...whyActor(`client/uploads/upload.${id}`)} /> : null}
      {phase === 'failed' || phase === 'canceled' || phase === 'skipped' ? (
        <IconButton size="s" noTooltip label={`Retry ${name}`} onPress={() => uploads.retry(id)}>
          <RotateCw size={14} />
        </IconButton>
      ) : null}
      {isOver(upload) ? null : (
        <IconButton size="s" noTooltip label={`Cancel ${name}`} onPress={() => uploads.cancel(id)}>
          <X size={14} />
        </IconButton>
      )}
    </span>
  )
}

/** Status text, a bar during the upload, and controls. */
const TONES: Partial<Record<UploadStatus['phase'], ProgressTone>> = {
  retrying: 'waiting',
  offline: 'waiting',
  paused: 'held',
}

function UploadRow({ upload, uploads, speed }: UploadRowProps & { readonly speed: string | undefined }) {
  const { phase, path, failure } = upload
  const name = nameOf(path)
  return (
    <li className={styles.upload} data-phase={phase}>
      <PhaseIcon phase={phase} />
      <span className={styles.fileName} title={path}>
        {name}
      </span>
      <span className={styles.words} data-tone={phase === 'failed' || phase === 'asking' ? phase : undefined}>
        {failure && phase !== 'sending' && phase !== 'done' ? `${failure.message} ` : ''}
        {failure && phase === 'failed' ? '' : phaseWords(upload)}
        {speed === undefined ? null : `, ${speed}`}
      </span>
      {phase === 'asking' ? <Answers upload={upload} uploads={uploads} /> : null}
      {isOver(upload) || phase === 'asking' ? null : (
        <span className={styles.bar}>
          <BareProgress
            label={`${name} uploaded`}
            share={percentOf(upload) / 100}
            tone={upload.isStalled ? 'waiting' : (TONES[phase] ?? 'going')}
          />
        </span>
      )}
      <Controls upload={upload} uploads={uploads} />
    </li>
  )
}
