// Parts of the app whose code is fetched when they are first shown.
import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { Button } from '../widgets/button.tsx'
import { ErrorState, Skeleton } from '../widgets/state.tsx'
import styles from './shell/page.module.css'
import { useRenewable, useRetry } from './retry.ts'

export interface LazyOptions {
  /** In its place until its code is there; grey lines unless told. */
  readonly whileLoading?: ReactNode
}

/**
 * Stands for a part until its code is there. Code that can't be fetched (the server is away) is told in the
 * part's place and asked for again; nothing else on the page is lost, and the page is never loaded anew.
 */
export const lazyPart = <P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  { whileLoading = <Skeleton label={`Loading ${name}`} /> }: LazyOptions = {},
) => {
  let loaded: ComponentType<P> | undefined
  return function LazyPart(props: P) {
    const [Part, setPart] = useState(() => loaded)
    const [failure, setFailure] = useState<object>()
    const [signal, retry] = useRenewable()
    useEffect(() => {
      let current = true
      load().then(
        part => {
          loaded = part
          if (current) setPart(() => part)
        },
        (error: unknown) => {
          if (current) setFailure({ error })
        },
      )
      return () => {
        current = false
      }
    }, [signal])
    useRetry(failure, retry)
    if (Part !== undefined) return <Part {...props} />
    if (failure === undefined) return whileLoading
    return (
      <ErrorState
        title={`${name.charAt(0).toUpperCase()}${name.slice(1)} could not be loaded`}
        action={
          <span className={styles.ways}>
            <Button onPress={retry}>Try again</Button>
            <Button variant="quiet" onPress={() => location.reload()}>
              Load the app anew
            </Button>
          </span>
        }
      >
        Where Chartroom is served from does not answer. It is tried again by itself. If a newer version was
        put there meanwhile, load the app anew: you stay signed in.
      </ErrorState>
    )
  }
}
