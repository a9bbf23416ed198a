import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useAction } from '../../client/useEngine.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import { TextField } from '../../widgets/controls.tsx';
import { ProblemLine } from '../../widgets/parts.tsx';

/** A session's name in place: Enter and leaving the field keep it, Esc does not. What was typed stays when it is refused. */
export function RenameField(props: {
  readonly id: string;
  readonly name: string;
  readonly onDone: () => void;
}): ReactNode {
  const { t } = useI18n();
  const action = useAction('session.rename');
  const [text, setText] = useState(props.name);
  const field = useRef<HTMLInputElement>(null);
  const over = useRef(false);
  useEffect(() => field.current?.select(), []);
  async function save() {
    if (over.current) return;
    const name = text.trim();
    if (name === '' || name === props.name) {
      over.current = true;
      props.onDone();
      return;
    }
    over.current = true;
    const answer = await action.run({ id: props.id, name });
    if (answer?.ok === true) props.onDone();
    else over.current = false;
  }
  function onKeyDown(event: KeyboardEvent) {
    // Enter and Esc belong to the input method while it is open.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      void save();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      over.current = true;
      props.onDone();
    }
  }
  return (
    <span className="renameField">
      <TextField
        small
        autoFocus
        inputRef={field}
        label={t('sessions.name')}
        value={text}
        maxLength={120}
        onChange={setText}
        onKeyDown={onKeyDown}
        onBlur={() => void save()}
        invalid={action.problem !== undefined}
      />
      {action.problem !== undefined && <ProblemLine text={action.problem.message} />}
    </span>
  );
}
