import pulumi_random as random

my_pet = random.RandomPet("my.pet/1")
my_pet_random_pet = random.RandomPet("my_pet", prefix=my_pet.id)
my_pet_2 = random.RandomPet("myPet", prefix=my_pet_random_pet.id)
