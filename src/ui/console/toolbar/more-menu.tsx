// What has no room in the toolbar of a narrow console, in a menu made of the commands.
import { Ellipsis } from 'lucide-react'
import { ActionMenu, IconMenu } from '../../widgets/menu.tsx'
import { useOffered } from '../commands/use-commands.ts'

const SHOWN: ReadonlySet<string> = new Set(['help', 'drive.hold', 'drive.step', 'drive.panel'])

export function MoreMenu() {
  return (
    <IconMenu label="More" icon={<Ellipsis size={15} aria-hidden />}>
      <Items />
    </IconMenu>
  )
}

/** Only there while the menu is open: the list of commands changes often. */
function Items() {
  const commands = useOffered().filter(({ id, section }) => section === 'Recording' || SHOWN.has(id))
  return <ActionMenu label="More" actions={commands} />
}
