// The tables with their references as a list: the diagram as text.
import { Link } from '@tanstack/react-router'
import { Crosshair } from 'lucide-react'
import { plural } from '../../../services/workbench/text/index.ts'
import { ToolButton } from '../../widgets/button.tsx'
import { inSchema } from '../data/tables.tsx'
import styles from './diagram.module.css'
import { relationWords, tableTitle, type Diagram } from './diagram.ts'

export interface DiagramListProps {
  readonly diagram: Diagram
  /** Centers a table; undefined while there is no drawing. */
  readonly onCenter: ((id: string) => void) | undefined
}

export function DiagramList({ diagram, onCenter }: DiagramListProps) {
  const listed = diagram.tables.filter(({ isListed }) => isListed)
  return (
    <aside className={styles.list} aria-label="Tables and references">
      <ul>
        {listed.map(table => {
          const title = tableTitle(table, diagram)
          const kind = table.kind === undefined || table.kind === 'table' ? '' : `${table.kind}, `
          return (
            <li key={table.id} className={styles.item}>
              <span className={styles.itemHead}>
                <Link
                  to="/data/$table"
                  params={{ table: table.name }}
                  search={inSchema(table.schema)}
                  className={styles.itemName}
                >
                  <bdi>{title}</bdi>
                </Link>
                {onCenter === undefined ? null : (
                  <ToolButton
                    icon={Crosshair}
                    label={`Show ${title} in the diagram`}
                    noTooltip
                    onPress={() => onCenter(table.id)}
                  />
                )}
              </span>
              <span className={styles.itemNote}>
                {kind}
                {plural(table.columns.length, 'column')}
              </span>
              {relationWords(table, diagram).map(words => (
                <span key={words} className={styles.itemNote}>
                  {words}
                </span>
              ))}
            </li>
          )
        })}
      </ul>
    </aside>
  )
}
