import { useLanguage } from '../../platform/html/language.tsx';

export const NoMembership = () => {
  const { say } = useLanguage();
  return (
    <p>{say('You are not a member of any organization yet. Ask an administrator of your lab to add you.')}</p>
  );
};
