// The public entry `@chartroom/devtools/react`: React components and hooks that record.
export {
  ReportButton,
  type ReportButtonProps,
  type ReportTexts,
} from '../../ui/devtools-react/report-button.tsx'
export {
  createActorContext,
  type RecordActor,
  Recorded,
  type RecordedProps,
  shallowEqual,
  useActor,
  useActorRef,
  useMachine,
  useSelector,
} from '../../ui/devtools-react/recorded.tsx'
