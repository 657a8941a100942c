// What stands in place of the app while its own settings file is wrong.
import { Button } from '../../widgets/button.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { DEPLOYMENT_FILE } from '../deployment.ts'
import styles from './page.module.css'

/** Whoever deployed the app is told where and what; everybody else, that it is not their fault. */
export function DeploymentFailed({ problems }: { readonly problems: readonly string[] }) {
  return (
    <ErrorState
      title="This Chartroom is not set up rightly"
      action={<Button onPress={() => location.reload()}>Load again</Button>}
    >
      <p>
        Its settings file <code>{DEPLOYMENT_FILE}</code> can’t be used. Nothing of yours is affected; whoever
        put this page here has to mend it:
      </p>
      <ul className={styles.problems}>
        {problems.map(problem => (
          <li key={problem}>
            <code>{problem}</code>
          </li>
        ))}
      </ul>
    </ErrorState>
  )
}
