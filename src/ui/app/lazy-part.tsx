// Parts of the app whose code is fetched when they are first shown.
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { Button } from '../widgets/button.tsx'
import { ErrorState, Skeleton } from '../widgets/state.tsx'
import { notify } from './shell/notify.ts'
import styles from './shell/page.module.css'
import { useRenewable } from './renewable.ts'

export interface LazyOptions<P> {
  /** In its place until its code is there; grey lines unless told. */
  readonly whileLoading?: ReactNode
  /** For what opens above the page and has no place in it: a notice tells of the failure, and this closes it. */
  readonly giveUp?: (props: P) => void
}

/** As long as a page waits before it asks again. No machine: those are in parts that may be what does not come. */
const RETRY_AFTER_MS = 4_000

/** Longer than a slow line takes for any part; one that is silently dead brings neither code nor an error. */
const LONG_MS = 15_000

const AWAY = 'Where Chartroom is served from does not answer.'

/**
 * Stands for a part until its code is there. Code that can't be fetched (the server is away) is told in the
 * part's place and asked for again; nothing else on the page is lost, and the page is never loaded anew.
 */
export const lazyPart = <P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  { whileLoading = <Skeleton label={`Loading ${name}`} />, giveUp }: LazyOptions<P> = {},
) => {
  const part = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const title = `${part} could not be loaded`
  const late = `${part} takes long to load`
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
    useEffect(() => {
      let current = true
      const timer = setTimeout(() => {
        if (giveUp) notify({ id: name, title: late, detail: `${AWAY} It opens when it is there.` })
        else setLate(true)
      }, LONG_MS)
      load().then(
        made => {
          loaded = made
          clearTimeout(timer)
          if (current) setPart(() => made)
        },
        (error: unknown) => {
          clearTimeout(timer)
          if (!current) return
          if (!giveUp) return setFailure({ error })
          notify({ id: name, tone: 'fail', title, detail: `${AWAY} Try again when it does.` })
          giveUp(latest.current)
        },
      )
      return () => {
        current = false
        clearTimeout(timer)
      }
    }, [signal])
    useEffect(() => {
      if (failure === undefined) return
      const timer = setTimeout(retry, RETRY_AFTER_MS)
      return () => clearTimeout(timer)
    }, [failure, retry])
    if (Part !== undefined) return <Part {...props} />
    if (failure === undefined && !isLate) return whileLoading
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
            Load the app anew
          </Button>
        </span>
      }
    >
      {AWAY} It is tried again by itself. If a newer version was put there meanwhile, load the app anew: you
      stay signed in.
    </ErrorState>
  )
}
