// Fills the window until there is something to show.
import { Spinner } from '../../widgets/spinner.tsx'
import { useNoticed } from '../../widgets/state.tsx'
import styles from './shell.module.css'

/** One muted line, shown only if the wait is noticeable. */
export function Splash({ text }: { readonly text: string }) {
  return (
    <output className={styles.splash}>
      {useNoticed() ? (
        <>
          <Spinner size={16} /> {text}
        </>
      ) : null}
    </output>
  )
}
