// On a narrow console, a menu of the commands that do not fit in the toolbar.
import { Ellipsis } from 'lucide-react'
import { ActionMenu, IconMenu } from '../../widgets/menu.tsx'
import { useOffered } from '../../widgets/palette/use-commands.ts'

const SHOWN: ReadonlySet<string> = new Set(['help', 'drive.hold', 'drive.step', 'drive.panel'])

export function MoreMenu() {
  return (
    <IconMenu label="More" icon={<Ellipsis size={15} aria-hidden />}>
      <Items />
    </IconMenu>
  )
}

/** Mounted only while the menu is open: the list of commands changes often. */
function Items() {
  const commands = useOffered().filter(({ id, section }) => section === 'Recording' || SHOWN.has(id))
  return <ActionMenu label="More" actions={commands} />
}
