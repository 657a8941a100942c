// The tour's card below the sections: one step at a time, next to the page and never over it.
import { useRouter } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect, useId, useRef, type RefObject } from 'react'
import { Button, IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { reportHeight } from '../shell/report-height.ts'
import { STEPS, type TourStep } from './steps.ts'
import type { TourEvent, TourState } from './tour.tsx'
import styles from './tour.module.css'

const reportTour = reportHeight('--tour')

export interface TourCardProps {
  readonly state: TourState
  readonly send: (event: TourEvent) => void
}

/** The offer or the current step. Leaving the tour moves the focus to the current section. */
export function TourCard({ state, send: report }: TourCardProps) {
  const send = (event: TourEvent) => {
    if (event.type === 'tour.left')
      document.querySelector<HTMLElement>('nav[aria-label="Sections"] a[aria-current="page"]')?.focus()
    report(event)
  }
  const step = state.at === 'step' ? STEPS[state.step] : undefined
  if (state.at !== 'offered' && !step) return null
  return (
    <div ref={reportTour} className={styles.place} data-tour-card>
      {state.at === 'step' && step ? (
        <TourStep step={step} number={state.step} send={send} />
      ) : (
        <Offer send={send} />
      )}
    </div>
  )
}

function Offer({ send }: Pick<TourCardProps, 'send'>) {
  return (
    <section aria-label="Tour" className={cx(styles.card, styles.offer)}>
      <p>
        <strong>New here?</strong> <span className={styles.about}>Take a two-minute tour.</span>
      </p>
      <div className={styles.actions}>
        <Button size="s" variant="primary" onPress={() => send({ type: 'tour.started' })}>
          Take the tour
        </Button>
        <Button size="s" variant="quiet" onPress={() => send({ type: 'tour.left' })}>
          Not now
        </Button>
      </div>
    </section>
  )
}

interface StepProps extends Pick<TourCardProps, 'send'> {
  readonly step: TourStep
  readonly number: number
}

function TourStep({ step, number, send }: StepProps) {
  const id = useId()
  const router = useRouter()
  const card = useRef<HTMLElement>(null)
  const { to } = step
  useEffect(() => {
    if (to !== undefined) void router.navigate({ href: router.buildLocation({ to: to as '/data' }).href })
    card.current?.focus()
  }, [router, to, number])
  usePointed(step.points)
  useEscape(card, send)
  const isLast = number === STEPS.length - 1
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className={styles.card}
    >
      <header className={styles.head}>
        <h2 id={`${id}-title`}>{step.title}</h2>
        <IconButton size="s" label="Leave the tour" onPress={() => send({ type: 'tour.left' })}>
          <X size={14} />
        </IconButton>
      </header>
      <p id={`${id}-text`}>{step.text}</p>
      {step.tryIt === undefined ? null : <p className={styles.tryIt}>{step.tryIt}</p>}
      <div className={styles.actions}>
        <Button size="s" isDisabled={number === 0} onPress={() => send({ type: 'tour.went', by: -1 })}>
          Back
        </Button>
        <Button
          size="s"
          variant="primary"
          onPress={() => send(isLast ? { type: 'tour.left' } : { type: 'tour.went', by: 1 })}
        >
          {isLast ? 'Done' : 'Next'}
        </Button>
        <span className={styles.count}>
          {number + 1} of {STEPS.length}
        </span>
      </div>
    </section>
  )
}

/** Escape inside the card leaves the tour. */
function useEscape(card: RefObject<HTMLElement | null>, send: StepProps['send']): void {
  useEffect(() => {
    const { current } = card
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') send({ type: 'tour.left' })
    }
    current?.addEventListener('keydown', onKey)
    return () => current?.removeEventListener('keydown', onKey)
  }, [card, send])
}

const HERE = 'data-tour-here'

/** Highlights a step's target, also if it is rendered later. */
function usePointed(selector: string | undefined): void {
  useEffect(() => {
    if (selector === undefined) return
    let marked: Element | null = null
    const mark = () => {
      const found = document.querySelector(selector)
      if (found === marked) return
      marked?.removeAttribute(HERE)
      found?.setAttribute(HERE, '')
      marked = found
    }
    mark()
    const watch = new MutationObserver(mark)
    watch.observe(document.body, { childList: true, subtree: true })
    return () => {
      watch.disconnect()
      marked?.removeAttribute(HERE)
    }
  }, [selector])
}
