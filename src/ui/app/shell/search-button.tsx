// Button that opens the command palette.
import { Search } from 'lucide-react'
import { Button } from 'react-aria-components'
import { cx } from '../../widgets/cx.ts'
import { Kbd } from '../../widgets/kbd.tsx'
import { isApplePlatform, keyLabel } from '../../widgets/palette/key-name.ts'
import { preparePalette, useOpenPalette } from '../commands/app-commands.tsx'
import styles from './shell.module.css'

/** Preloads the palette when the pointer approaches. */
export function SearchButton() {
  const open = useOpenPalette()
  return (
    <Button
      className={cx(styles.search)}
      data-tour="search"
      onHoverStart={preparePalette}
      onFocus={preparePalette}
      onPress={() => open('palette')}
    >
      <Search size={14} aria-hidden />
      <span className={styles.searchText}>
        Search… <Kbd>{keyLabel('Mod+K', isApplePlatform())}</Kbd>
      </span>
    </Button>
  )
}
