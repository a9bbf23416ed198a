import { createContext, type ReactNode, useContext, useEffect, useId } from 'react';
import { useI18n } from '../../i18n/i18n.tsx';
import { Button } from '../../widgets/controls.tsx';

/** Where editors tell the dialog whether they hold an edit that was not saved. */
export interface Unsaved {
  set(id: string, unsaved: boolean): void;
}

export const UnsavedContext = createContext<Unsaved>({ set: () => {} });

export interface EditFormProps {
  readonly changed: boolean;
  readonly invalid?: string | undefined;
  readonly onSave: () => void;
  readonly onReset: () => void;
  readonly children: ReactNode;
}

/** Fields with save and undo, shown only while there is something to save; Enter in a field saves. */
export function EditForm(props: EditFormProps): ReactNode {
  const { t } = useI18n();
  const id = useId();
  const unsaved = useContext(UnsavedContext);
  const { changed, invalid } = props;
  useEffect(() => {
    unsaved.set(id, changed);
    return () => unsaved.set(id, false);
  }, [unsaved, id, changed]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && invalid === undefined) props.onSave();
      }}
    >
      {props.children}
      {changed && (
        <div className="profileSave">
          <Button
            small
            kind="primary"
            type="submit"
            {...(invalid === undefined ? {} : { unavailable: invalid })}
          >
            {t('action.save')}
          </Button>
          <Button small kind="quiet" onClick={props.onReset}>
            {t('action.cancel')}
          </Button>
          {invalid !== undefined && <span className="small inkFailed">{invalid}</span>}
        </div>
      )}
    </form>
  );
}
