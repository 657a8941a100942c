// What has no room in the toolbar of a narrow console, in a menu made of the commands.
import { Ellipsis } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { useOffered } from '../commands/use-commands.ts'
import styles from '../../widgets/menu.module.css'

const SHOWN: ReadonlySet<string> = new Set(['help', 'drive.hold', 'drive.step', 'drive.panel'])

export function MoreMenu() {
  return (
    <MenuTrigger>
      <IconButton size="s" label="More">
        <Ellipsis size={15} aria-hidden />
      </IconButton>
      <Popover placement="bottom end" className={cx(styles.menu)}>
        <Items />
      </Popover>
    </MenuTrigger>
  )
}

/** Only there while the menu is open: the list of commands changes often. */
function Items() {
  const commands = useOffered().filter(({ id, section }) => section === 'Recording' || SHOWN.has(id))
  return (
    <Menu
      aria-label="More"
      className={cx(styles.items)}
      disabledKeys={commands.flatMap(({ id, disabled }) => (disabled === undefined ? [] : [id]))}
      onAction={key => commands.find(({ id }) => id === key)?.run()}
    >
      {commands.map(({ id, title, disabled }) => (
        <MenuItem key={id} id={id} textValue={title} className={cx(styles.item)}>
          {title}
          {disabled === undefined ? null : <span className={styles.text}>{disabled}</span>}
        </MenuItem>
      ))}
    </Menu>
  )
}
