import pulumi

from web import Web

web = Web("web", prefix="x", tags=["a"], cfg={"path": "p"})
many = [Web(f"many-{i}", prefix=f"x{i}", tags=[], cfg={"path": "p"}) for i in range(2)]

pulumi.export("id", web.pet_id)
