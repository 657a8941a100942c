// Header and claims of the access token, each with its meaning.
import type { ReactNode } from 'react'
import { claimMeaning, claimWords, headerMeaning, headerWords, inOrder, lifeWords } from './claims.ts'
import { claimsOf, headerOf } from '../../../../services/workbench/accounts/index.ts'
import styles from './token.module.css'

interface RowsProps {
  readonly caption: string
  readonly rows: readonly (readonly [name: string, meaning: string, value: ReactNode])[]
}

function Rows({ caption, rows }: RowsProps) {
  return (
    <table className={styles.claims}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Meaning</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, meaning, value]) => (
          <tr key={name}>
            <th scope="row" className={styles.name}>
              {name}
            </th>
            <td className={styles.meaning}>{meaning}</td>
            <td className={styles.value}>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Decodes only: no signature or claim is verified. */
export function ClaimsTable({ token }: { readonly token: string }) {
  const claims = claimsOf(token)
  return (
    <>
      <Rows
        caption={`Claims, lifetime ${lifeWords(claims)}`}
        rows={inOrder(claims).map(([name, value]) => [name, claimMeaning(name), claimWords(name, value)])}
      />
      <Rows
        caption="Header"
        rows={Object.entries(headerOf(token)).map(([name, value]) => [
          name,
          headerMeaning(name),
          headerWords(name, value),
        ])}
      />
    </>
  )
}
