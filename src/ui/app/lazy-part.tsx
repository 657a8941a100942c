// Parts of the app whose code loads when they are first shown.
import { useEffect, useRef, useState, type ComponentType, type ReactNode, useCallback } from 'react'
import { Button } from '../widgets/button.tsx'
import { ErrorState, Skeleton } from '../widgets/state.tsx'
import { useTimeout } from '../widgets/time.ts'
import { notify } from './shell/notify.ts'
import styles from './shell/page.module.css'

export interface LazyOptions<P> {
  /** Shown until the code has loaded; defaults to a skeleton. */
  readonly whileLoading?: ReactNode
  /** For overlays: a failure is reported in a notice, and this closes the overlay. */
  readonly giveUp?: (props: P) => void
}

/** Delay before a retry. Not a machine: machines are in chunks that may fail to load themselves. */
const RETRY_AFTER_MS = 4_000

/** Longer than any part takes on a slow connection; a stalled connection yields neither code nor an error. */
const LONG_MS = 15_000

const AWAY = 'The server that hosts Chartroom is not responding.'

/**
 * Renders a part once its code has loaded. If the server is unreachable, an error in the part's place
 * retries; the rest of the page keeps working, and the page is never reloaded automatically.
 */
export const lazyPart = <P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  { whileLoading = <Skeleton label={`Loading ${name}`} />, giveUp }: LazyOptions<P> = {},
) => {
  const part = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const title = `${part} could not be loaded`
  const late = `${part} is taking a long time to load`
  let loaded: ComponentType<P> | undefined
  return function LazyPart(props: P) {
    const [Part, setPart] = useState(() => loaded)
    const [failure, setFailure] = useState<object>()
    const [isLate, setLate] = useState(false)
    const [signal, retry] = useRenewable()
    const latest = useRef(props)
    useEffect(() => {
      latest.current = props
    })
    const onLate = () => {
      if (giveUp) notify({ id: name, title: late, detail: `${AWAY} It opens once it has loaded.` })
      else setLate(true)
    }
    const isPending = Part === undefined && failure === undefined
    useTimeout(onLate, isPending ? LONG_MS : undefined, signal)
    useTimeout(retry, failure && !giveUp ? RETRY_AFTER_MS : undefined, failure)
    useEffect(() => {
      let current = true
      load().then(
        made => {
          loaded = made
          if (current) setPart(() => made)
        },
        (error: unknown) => {
          if (!current) return
          setFailure({ error })
          if (!giveUp) return
          notify({ id: name, tone: 'fail', title, detail: `${AWAY} Try again once it does.` })
          giveUp(latest.current)
        },
      )
      return () => {
        current = false
      }
    }, [signal])
    if (Part !== undefined) return <Part {...props} />
    if (giveUp || (failure === undefined && !isLate)) return whileLoading
    return <NotLoaded title={failure === undefined ? late : title} onRetry={retry} />
  }
}

function NotLoaded({ title, onRetry }: { readonly title: string; readonly onRetry: () => void }) {
  return (
    <ErrorState
      title={title}
      action={
        <span className={styles.ways}>
          <Button onPress={onRetry}>Try again</Button>
          <Button variant="quiet" onPress={() => location.reload()}>
            Reload the app
          </Button>
        </span>
      }
    >
      {AWAY} Retrying automatically. If a newer version was deployed, reload the app: you stay signed in.
    </ErrorState>
  )
}

/** A signal that `renew` aborts and replaces, so that effects that depend on it run again. */
const useRenewable = (): readonly [AbortSignal, () => void] => {
  const [current, setCurrent] = useState(() => new AbortController())
  const renew = useCallback(
    () =>
      setCurrent(before => {
        before.abort()
        return new AbortController()
      }),
    [],
  )
  return [current.signal, renew]
}
