import { Menu } from '@base-ui/react/menu';
import { Check, ChevronsUpDown, FileCog, Laptop } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAction, useEngine, useValueOf } from '../client/useEngine.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { Cut } from '../widgets/Cut.tsx';
import { Button, TextField } from '../widgets/controls.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { ProblemLine } from '../widgets/parts.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';

/** Detected operators, one run locally, or a profile from a file. */
export function OperatorMenu(): ReactNode {
  const { t } = useI18n();
  const engine = useEngine();
  const operators = useValueOf('operators', {}, (s) => s.value);
  const [dialog, setDialog] = useState<'local' | 'load' | undefined>(undefined);
  const detected = operators?.operators ?? [];
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="navHead navChooser">
          <span className="label strong">{t('nav.operator')}</span>
          {operators?.profile === undefined && (
            <span className="small cut inkAccent">{t('nav.operator.none')}</span>
          )}
          <ChevronsUpDown size={14} strokeWidth={1.75} aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="menuLayer" align="start" sideOffset={4}>
            <Menu.Popup className="menuPopup">
              <div className="menuLabel">
                {t(detected.length > 0 ? 'nav.operator.detected' : 'nav.operator.nothing')}
              </div>
              {detected.map((operator) => (
                <Menu.Item
                  key={operator.id}
                  className="menuItem"
                  onClick={() => void engine.call('operator.choose', { id: operator.id })}
                >
                  <span className="menuCheck">
                    {operator.id === operators?.chosen && <Check size={14} />}
                  </span>
                  <StateGlyph state={operator.health} size={12} label={t(`health.${operator.health}`)} />
                  <Cut text={operator.name} />
                  <span className="menuEnd">
                    {operator.local ? operator.user : operator.namespace}
                    {operator.kinds.length > 0 && ` · ${operator.kinds.slice(0, 3).join(', ')}`}
                    {operator.kinds.length > 3 && ` +${operator.kinds.length - 3}`}
                  </span>
                </Menu.Item>
              ))}
              <div className="menuRule" />
              <Menu.Item className="menuItem" onClick={() => setDialog('local')}>
                <Laptop size={14} strokeWidth={1.75} aria-hidden="true" />
                {t('nav.operator.local')}
              </Menu.Item>
              <Menu.Item className="menuItem" onClick={() => setDialog('load')}>
                <FileCog size={14} strokeWidth={1.75} aria-hidden="true" />
                {t('nav.operator.load')}
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <LocalDialog open={dialog === 'local'} onClose={() => setDialog(undefined)} />
      <LoadDialog open={dialog === 'load'} onClose={() => setDialog(undefined)} />
    </>
  );
}

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function LocalDialog({ open, onClose }: DialogProps): ReactNode {
  const { t } = useI18n();
  const action = useAction('operator.useIdentity');
  const [user, setUser] = useState('');
  const [kinds, setKinds] = useState('');
  async function submit() {
    const controllers = kinds.split(/[\s,]+/).filter(Boolean);
    const result = await action.run({ user: user.trim(), controllers });
    if (result?.ok === true) onClose();
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      id="localForm"
      title={t('local.title')}
      submitText={t('local.use')}
      ready={user.trim() !== '' && !action.running}
      problem={action.problem?.message}
      onSubmit={submit}
    >
      <p className="secondary small">{t('local.explain')}</p>
      <span className="label">{t('local.user')}</span>
      <TextField
        mono
        label={t('local.user')}
        value={user}
        onChange={setUser}
        placeholder="system:serviceaccount:…"
      />
      <span className="small tertiary">{t('local.user.hint')}</span>
      <span className="label">{t('local.kinds')}</span>
      <TextField
        mono
        label={t('local.kinds')}
        value={kinds}
        onChange={setKinds}
        placeholder="databases.db.example.com"
      />
      <span className="small tertiary">{t('local.kinds.hint')}</span>
    </FormDialog>
  );
}

function LoadDialog({ open, onClose }: DialogProps): ReactNode {
  const { t } = useI18n();
  const action = useAction('profile.load');
  const [path, setPath] = useState('loopscope.yaml');
  async function submit() {
    const result = await action.run({ path: path.trim() });
    if (result?.ok === true) onClose();
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      id="loadForm"
      title={t('load.title')}
      submitText={t('load.read')}
      ready={path.trim() !== '' && !action.running}
      problem={action.problem?.message}
      onSubmit={submit}
    >
      <p className="secondary small">{t('load.explain')}</p>
      <span className="label">{t('load.path')}</span>
      <TextField mono label={t('load.path')} value={path} onChange={setPath} />
    </FormDialog>
  );
}

interface FormDialogProps extends DialogProps {
  readonly id: string;
  readonly title: string;
  readonly submitText: string;
  readonly ready: boolean;
  readonly problem: string | undefined;
  readonly onSubmit: () => Promise<void>;
  readonly children: ReactNode;
}

/** A small form with Cancel and one thing to do; what went wrong stands below the fields, and nothing typed is lost. */
function FormDialog(props: FormDialogProps): ReactNode {
  const { t } = useI18n();
  const { open, onClose, id, title, submitText, ready, problem, onSubmit, children } = props;
  function submit(event: FormEvent) {
    event.preventDefault();
    void onSubmit();
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      className="dialogSmall"
      foot={
        <>
          <Button kind="quiet" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button kind="primary" type="submit" form={id} disabled={!ready}>
            {submitText}
          </Button>
        </>
      }
    >
      <form id={id} className="form" onSubmit={submit}>
        {children}
        {problem !== undefined && <ProblemLine text={problem} />}
      </form>
    </Dialog>
  );
}
