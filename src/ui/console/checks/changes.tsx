// Table of the values in which a step of two recordings differs.
import { short, type TraceChange } from '../../../trace/index.ts'
import styles from './checks.module.css'

/** Values of a step that differ: of its event, state and context. */
export function Changes({ changes }: { readonly changes: readonly TraceChange[] }) {
  if (changes.length === 0) return null
  return (
    <table className={styles.differences}>
      <thead>
        <tr>
          <th scope="col">path</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, a, b }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td data-side="recorded">{short(a)}</td>
            <td data-side="replayed">{short(b)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
