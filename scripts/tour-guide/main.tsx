// The tour inside its page: one step at a time over the app, with a mark once the page has seen it done.
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { sessionMachine as session } from '../../examples/tour/session.ts'
import guide from '../../docs/guide/tour.md?raw'
import { CHECKS, newlyDone } from './checks.ts'
import { readProgress, TOUR_START, type TourProgress } from './progress.ts'
import { inlinesOf, readTour, type TourBlock, type TourStep } from './read-tour.ts'
import './tour-guide.css'

const STEPS = readTour(guide)
const IDS = STEPS.map(({ id }) => id)
const STORED = 'chartroom.tour'
const LOOK_EVERY_MS = 250

const sectionOf = (id: string | undefined): string => id?.split('.')[0] ?? ''

/** The module that the running page uses: editing it reloads the page. */
async function loadIsBroken(): Promise<boolean> {
  const path = '/session.ts'
  const loaded: unknown = await import(/* @vite-ignore */ path)
  const { sessionMachine } = loaded as { readonly sessionMachine: typeof session }
  const { isRefused } = sessionMachine.implementations.guards
  const verdict: unknown = isRefused && Reflect.apply(isRefused, undefined, [{}, { status: 0 }])
  return verdict === true
}

function useProgress(): readonly [TourProgress, (change: Partial<TourProgress>) => void] {
  const [progress, setProgress] = useState(() => readProgress(localStorage.getItem(STORED), IDS))
  useEffect(() => localStorage.setItem(STORED, JSON.stringify(progress)), [progress])
  return [progress, change => setProgress(before => ({ ...before, ...change }))]
}

/** Looks at the page for what the current section asks for. */
function useChecks({ at, done, isClosed }: TourProgress, onDone: (done: readonly string[]) => void): void {
  const [isBroken, setBroken] = useState(true)
  useEffect(() => void loadIsBroken().then(setBroken), [])
  const latest = useRef(onDone)
  useEffect(() => {
    latest.current = onDone
  })
  useEffect(() => {
    if (isClosed) return
    const ids = IDS.filter(id => sectionOf(id) === sectionOf(IDS[at]))
    const timer = setInterval(() => {
      const found = newlyDone({ document, isBroken, done: new Set(done) }, ids)
      if (found.length > 0) latest.current([...done, ...found])
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [at, done, isClosed, isBroken])
}

function Guide() {
  const [progress, change] = useProgress()
  const { at, done, isClosed } = progress
  useChecks(progress, seen => change({ done: seen }))
  const step = STEPS[at]
  if (isClosed || !step) {
    return (
      <section aria-label="Tour">
        <button type="button" className="tour-open" onClick={() => change({ isClosed: false })}>
          {done.length > 0 ? `Resume the tour (${at + 1} of ${STEPS.length})` : 'Take the tour'}
        </button>
      </section>
    )
  }
  return (
    <section aria-label="Tour" className="tour">
      <Step step={step} isDone={done.includes(step.id)} />
      <nav aria-label="Steps of the tour">
        <span>
          {at + 1} of {STEPS.length}
        </span>
        <button type="button" disabled={at === 0} onClick={() => change({ at: at - 1 })}>
          Back
        </button>
        {at < STEPS.length - 1 ? (
          <button type="button" className="tour-next" onClick={() => change({ at: at + 1 })}>
            Next
          </button>
        ) : (
          <button type="button" onClick={() => change(TOUR_START)}>
            Start over
          </button>
        )}
        <button type="button" onClick={() => change({ isClosed: true })}>
          Close the tour
        </button>
      </nav>
    </section>
  )
}

function Step({
  step: { id, section, blocks },
  isDone,
}: {
  readonly step: TourStep
  readonly isDone: boolean
}) {
  return (
    <div className="tour-step">
      <h2>
        {section}{' '}
        <span role="status">{isDone ? '✓ Done' : CHECKS[id] ? '' : 'Continue when you are ready'}</span>
      </h2>
      {blocks.map(block => (
        <Block key={block.text} block={block} />
      ))}
    </div>
  )
}

function Block({ block: { kind, text } }: { readonly block: TourBlock }) {
  if (kind === 'code') return <pre>{text}</pre>
  return (
    <p>
      {inlinesOf(text).map((piece, at) => {
        const key = `${at} ${piece.text}`
        if (piece.kind === 'plain') return piece.text
        const Tag = piece.kind
        return <Tag key={key}>{piece.text}</Tag>
      })}
    </p>
  )
}

const place = document.createElement('div')
place.id = 'tour'
document.body.prepend(place)
createRoot(place).render(<Guide />)
