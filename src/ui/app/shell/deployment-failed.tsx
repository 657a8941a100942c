// Shown instead of the app while its settings file is invalid.
import { Button } from '../../widgets/button.tsx'
import { ErrorState } from '../../widgets/state.tsx'
import { DEPLOYMENT_FILE } from '../../../services/workbench/hosts/index.ts'
import styles from './page.module.css'

/** Lists the problems for the deployer, and tells users that their data is not affected. */
export function DeploymentFailed({ problems }: { readonly problems: readonly string[] }) {
  return (
    <ErrorState
      title="Chartroom is misconfigured"
      action={<Button onPress={() => location.reload()}>Reload</Button>}
    >
      <p>
        Its settings file <code>{DEPLOYMENT_FILE}</code> can’t be used. Your data is not affected; the person
        who deployed this page has to fix it:
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
