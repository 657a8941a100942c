// The console's toolbar, and the commands on the selection.
import { useMemo } from 'react'
import type { useDownload } from '../file/use-download.ts'
import type { Driving } from '../drive/use-driving.tsx'
import type { FrameProps } from '../frame.tsx'
import type { SavedViews } from '../layout/use-saved-views.ts'
import type { ConsoleModel } from '../use-console-model.ts'
import { useCommands } from '../commands/use-commands.ts'
import { BookmarksButton } from '../bookmarks/bookmarks-button.tsx'
import { EarlierRecordings } from '../file/earlier-recordings.tsx'
import { FileOrigin } from '../file/file-origin.tsx'
import { ChecksMark } from '../checks/checks-mark.tsx'
import { layoutCommands } from '../layout/layout-commands.ts'
import { LayoutMenu } from '../layout/layout-menu.tsx'
import { eventCommands } from '../log/event-commands.ts'
import { PlaceMarker } from './place-marker.tsx'
import { countText, QueryField } from '../query/query-field.tsx'
import { RecordingControls } from './recording-controls.tsx'
import { Toolbar } from './toolbar.tsx'
import { actorCommands } from '../tree/actor-commands.ts'

/** Subscribes to changes itself: a constant element, so that a step does not rerender it. */
const BOOKMARKS = <BookmarksButton />

export interface BarProps extends FrameProps {
  readonly model: ConsoleModel
  readonly driving: Driving
  readonly saved: SavedViews
  readonly download: ReturnType<typeof useDownload>
}

/** Registers commands for the selected event, its actor and the layout. */
export function Bar({ model, driving, saved, download, ...props }: BarProps) {
  const { now, onClose, hostButtons, store } = props
  const { live, file, followed, selection, place, go } = model
  const { open, mayLeave } = file
  const close = useMemo(() => onClose && (() => mayLeave(onClose)), [onClose, mayLeave])
  const earlier = useMemo(
    () => (store ? <EarlierRecordings load={store} onOpen={open} /> : null),
    [store, open],
  )
  const { timeline, details } = followed.trace
  useCommands(eventCommands(selection.seq, { timeline, details, place, go }))
  const { at, actor } = selection
  useCommands(actorCommands(actor, { timeline, details, at, query: place.query, go, pick: model.pick }))
  useCommands(layoutCommands(place.layout, layout => go({ type: 'layout', layout })))
  return (
    <Toolbar
      origin={
        file.opened ? (
          <FileOrigin name={file.opened.name} isRecording={live.isRecording} onClose={file.close} />
        ) : (
          <RecordingControls
            recording={live}
            now={now}
            isSaved={download.isSaved}
            onDownload={download.save}
          />
        )
      }
      place={
        <>
          <PlaceMarker
            selection={selection}
            live={followed.trace.live}
            size={followed.size}
            onCommand={model.run}
          />
          {BOOKMARKS}
          <ChecksMark />
        </>
      }
      filter={
        <QueryField
          inputRef={model.filterRef}
          query={model.query}
          onQuery={model.setQuery}
          timeline={timeline}
          announcement={countText(followed.filter, followed.size)}
        />
      }
      onCommand={model.run}
      onDownload={file.opened ? undefined : download.save}
      onOpen={open}
      earlier={earlier}
      drive={driving.buttons}
      layout={<LayoutMenu saved={saved} hasDrive={driving.canDrive} onManage={model.openLayouts} />}
      hostButtons={hostButtons}
      onClose={close}
    />
  )
}
